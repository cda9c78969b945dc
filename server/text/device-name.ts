const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Version\/.*Safari\//],
]

const systems: [name: string, pattern: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows NT/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** Browsers' user agents are shorter, and searching a very long one would take too long. */
const MAX_LENGTH = 512

const find = (names: [string, RegExp][], text: string) => names.find(([, pattern]) => pattern.test(text))?.[0]

/**
 * Describes a user agent: `device` as in 'Firefox on Linux', and its parts for translation. Names of programs and libraries are
 * omitted, because they would mean nothing to users.
 */
export function deviceOf(userAgent: string | null) {
  const text = (userAgent ?? '').slice(0, MAX_LENGTH)
  const [browser = null, system = null] = [find(browsers, text), find(systems, text)]
  const isApp = !browser && !system && text !== ''
  const unknown = isApp ? 'Unknown app' : 'Unknown device'
  return {
    device: browser && system ? `${browser} on ${system}` : (browser ?? system ?? unknown),
    browser,
    system,
    isApp,
  }
}
