/** An HTTP client that stores cookies by host and follows redirects on request. */
export function openCookieClient() {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }
  const cookiesFor = (url: string) => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ')

  async function ask(url: string, init: RequestInit = {}) {
    const cookie = cookiesFor(url)
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) }
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jarOf(url).delete(name)
      else jarOf(url).set(name, value)
    }
    return answer
  }

  /** Posts JSON with the server's own origin. */
  const post = (url: string, body: object) =>
    ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(url).origin },
      body: JSON.stringify(body),
    })

  /** Follows redirects, and enters a name if the provider asks for one; stops before a URL that `stop` accepts. */
  async function follow(from: string, name: string, stop: (url: string) => boolean): Promise<string> {
    let url = from
    for (let hops = 0; hops < 12; hops++) {
      if (stop(url)) return url
      let answer = await ask(url)
      if (answer.status === 200 && url.includes('/interaction/'))
        answer = await ask(url, { method: 'POST', body: new URLSearchParams({ name }) })
      const next = answer.headers.get('location')
      if (!next) throw new Error(`${url} leads nowhere: ${answer.status} ${(await answer.text()).slice(0, 200)}`)
      url = new URL(next, url).href
    }
    throw new Error('sent around without end')
  }

  return { ask, post, follow, cookiesFor, jarOf }
}
