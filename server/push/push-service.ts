import type { Config } from '../config/config.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createPushKeys } from './push-keys.ts'
import { createPushSender, type SendPush } from './send-push.ts'
import { pushContact } from './vapid.ts'

export interface PushService {
  /** False if the owner of the server turned notifications to devices off. */
  isOn: boolean
  /** Browsers subscribe with it. */
  publicKey: string
  send: SendPush
}

/** Delivers notifications through the push services of browsers. @param workspace its id */
export function createPushService(config: Config, secret: string, workspace: string): PushService {
  const keys = createPushKeys(secret, workspace)
  const outbound = createOutbound({ allowed: config.outboundAllow, purpose: 'notifications' })
  const isOn = config.webPush !== 'off'
  return { isOn, publicKey: keys.publicKey, send: createPushSender({ keys, outbound, contact: pushContact(config) }) }
}
