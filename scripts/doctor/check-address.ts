import type { Config } from '../../server/config/config.ts'
import type { Clocks } from './check-clock.ts'
import { asSentence, type Finding, none, ok, problem } from './finding.ts'
import { type OtherAnswer, type OwnAnswer, opensWebSocket, probe } from './probe.ts'

interface Options {
  config: Config
  token: string
  clocks: Clocks
}

const CERTIFICATE = /CERT|certificate|altnames|self.signed|unable to verify/i

/** The address that people use: whether it leads here, what a proxy in front passes on, and whether a WebSocket opens. */
export async function checkAddress({ config, token, clocks }: Options): Promise<Finding[]> {
  const { publicUrl, trustProxy } = config
  if (!publicUrl) return [none('PUBLIC_URL is not set: links lead to the address that each request was sent to.')]
  const url = new URL(publicUrl)
  const answer = await probe(url, token).catch((error) => problem(describeFailure(error, url)))
  if ('state' in answer) return [answer]
  if (answer.kind === 'other') return [problem(describeOther(answer, publicUrl))]
  clocks.noteHeader('the server behind PUBLIC_URL', answer)
  const findings = [ok(`${publicUrl} leads to this workspace.`)]
  const running = answer.seen.trustProxy
  if (running.join() !== trustProxy.join())
    findings.push(
      problem(
        `The Parley that runs has ${running.length > 0 ? `TRUST_PROXY=${running.join()}` : 'no TRUST_PROXY'}, but these settings have ${trustProxy.length > 0 ? trustProxy.join() : 'none'}. Run this with its settings, or restart it.`,
      ),
    )
  findings.push(...checkProxy(url, answer))
  if (!answer.date)
    findings.push(
      problem('The proxy removes the Date header, by which browsers know how long they stay signed in. Pass it on.'),
    )
  findings.push(await checkWebSocket(url))
  return findings
}

function describeFailure(error: NodeJS.ErrnoException, { host, hostname, protocol }: URL): string {
  const { code = '', message } = error
  const port = /:(\d+)$/.exec(host)?.[1] ?? (protocol === 'https:' ? '443' : '80')
  if (/ENOTFOUND|EAI_AGAIN/.test(code))
    return `${hostname} is not a known name. Make an A or AAAA record for it, or mend PUBLIC_URL.`
  if (code === 'ECONNREFUSED') return `Nothing answers at ${host}. Start the proxy, or let port ${port} through.`
  if (CERTIFICATE.test(`${code} ${message}`))
    return `The certificate of ${host} is not valid, or not known to this machine (${code || message}). If an authority of your own issued it, set NODE_EXTRA_CA_CERTS to its file, in the environment, not in .env.`
  if (/EPROTO|ERR_SSL/.test(code))
    return `${host} does not speak TLS. Set up HTTPS there, or begin PUBLIC_URL with http:.`
  if (/abort|timeout/i.test(`${code} ${message}`))
    return `${host} does not answer in time. A firewall may block it, or the address leads elsewhere.`
  return `${host} can't be reached: ${asSentence(message)}`
}

function describeOther({ status, server, location }: OtherAnswer, publicUrl: string): string {
  const who = server ? ` (${server})` : ''
  if (status >= 500)
    return `The proxy at ${publicUrl}${who} answers ${status}: it can't reach Parley. Compare its target with PORT and HOST.`
  if (status >= 300 && status < 400)
    return `${publicUrl}${who} redirects to ${location} instead of leading to Parley. Set PUBLIC_URL to the address that people end at.`
  if (status === 401)
    return `${publicUrl}${who} asks for a password, which keeps apps and mail links out. Let Parley's own sign-in do it.`
  if (status === 400 && publicUrl.startsWith('http:'))
    return `${publicUrl}${who} refuses the request. If it expects HTTPS, begin PUBLIC_URL with https:.`
  return `Something else than this workspace answers at ${publicUrl}${who} with ${status}. Check the DNS and the target of the proxy; a proxy must also pass on the header Authorization.`
}

/** What the proxy in front passes on, if there is one. */
function checkProxy({ protocol }: URL, { seen, localPort }: OwnAnswer): Finding[] {
  const { remote, isTrusted, address, isEncrypted, isSecure, forwardedFor } = seen
  const isHttps = protocol === 'https:'
  // Who forwards a connection opens one of its own; who only translates addresses keeps the port.
  const isDirect = remote.port === localPort && isEncrypted === isHttps && forwardedFor.length === 0
  if (isDirect) return [ok('No proxy is in between.')]
  const shared = 'so all people share one address and its limits'
  if (forwardedFor.length === 0)
    return [
      problem(
        `The proxy (${remote.address}) doesn't send X-Forwarded-For, ${shared}. Let it send X-Forwarded-For and X-Forwarded-Proto.`,
      ),
    ]
  if (!isTrusted)
    return [
      problem(
        `Requests come through ${remote.address}, which TRUST_PROXY doesn't name, ${shared}. Set TRUST_PROXY=${remote.address}.`,
      ),
    ]
  const findings = [ok(`The proxy (${remote.address}) passes on the addresses of people.`)]
  // The first entry is from the outermost proxy, which saw this machine.
  if (forwardedFor.length > 1 && forwardedFor[0] !== address && address !== remote.address)
    findings.push(
      problem(
        `There is another proxy (${address}) before it, which TRUST_PROXY doesn't name, ${shared}. Add it to TRUST_PROXY.`,
      ),
    )
  if (isHttps && !isSecure)
    findings.push(
      problem("The proxy doesn't send X-Forwarded-Proto: https. Let it, or cookies aren't marked as secure."),
    )
  return findings
}

async function checkWebSocket(url: URL): Promise<Finding> {
  if (await opensWebSocket(url)) return ok('A WebSocket opens.')
  return problem(
    'No WebSocket opens through the proxy, so people fall back to slow polling. Let it forward the headers Upgrade and Connection, and use HTTP/1.1 to Parley.',
  )
}
