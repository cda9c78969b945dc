const browsers: [name: string, sign: RegExp][] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Version\/.*Safari\//],
]

const systems: [name: string, sign: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows NT/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

const find = (among: [string, RegExp][], text: string) => among.find(([, sign]) => sign.test(text))?.[0]

/** What a browser says of itself, in words for the one whose it is: 'Firefox on Linux'. Others are shown as a program. */
export function deviceOf(userAgent: string | null): string {
  const text = userAgent ?? ''
  const [browser, system] = [find(browsers, text), find(systems, text)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? (/^([\w.-]{1,40})(\/|$)/.exec(text)?.[1] || 'Unknown device')
}
