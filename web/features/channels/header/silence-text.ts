import type { Channel } from '#contract/channels'
import type { Me } from '#contract/users'
import { dateFormat } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import type { Silence } from '../cache/voice.ts'

/** A direct message is archived once the other account was deleted. */
export const isAlone = ({ kind }: Channel, why: Silence) => why === 'archived' && kind === 'direct'

/** Why I cannot write in a conversation. */
export function silenceText(channel: Channel, why: Silence, { mutedUntil }: Me) {
  if (isAlone(channel, why)) return t('channels.silent.alone')
  switch (why) {
    case 'archived':
      return t('channels.silent.archived')
    case 'muted':
      return t('channels.silent.muted', { until: mutedUntil ? moment(mutedUntil) : '' })
    case 'notPosting':
      return t('channels.silent.notPosting')
    case 'notAllowed':
      return t('channels.silent.notAllowed')
    case 'deleted':
      return t('channels.silent.deleted')
  }
}

const moment = (time: string) => dateFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))
