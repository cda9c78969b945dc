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

const find = (names: [string, RegExp][], text: string) => names.find(([, pattern]) => pattern.test(text))?.[0]

/** Describes a user agent, as in 'Firefox on Linux'. The name of a program or library would tell its user nothing. */
export function deviceNameOf(userAgent: string | null): string {
  const text = userAgent ?? ''
  const [browser, system] = [find(browsers, text), find(systems, text)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? (text === '' ? 'Unknown device' : 'Unknown app')
}
