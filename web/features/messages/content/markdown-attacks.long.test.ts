import { expect, test } from 'vitest'
import { decoded, expectHarmless, shown, words } from '../../../test/render-message.ts'

const schemes = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'javascript&#x3a;alert(1)',
  'javascript&#0000058alert(1)',
  '&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)',
  '&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)',
  'java&Tab;script:alert(1)',
  'java&NewLine;script:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\rscript:alert(1)',
  'java\u0000script:alert(1)',
  'java\u200bscript:alert(1)',
  'java\u00adscript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u000ejavascript:alert(1)',
  '\u001fjavascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  '&#1;javascript:alert(1)',
  '&#14;javascript:alert(1)',
  ' javascript:alert(1)',
  'javascript\\:alert(1)',
  'java\\script:alert(1)',
  'javascript%3Aalert(1)',
  '%6Aavascript:alert(1)',
  'javascript:javascript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'javascript:/*--><svg/onload=alert(1)>*/',
  'feed:javascript:alert(1)',
  'view-source:javascript:alert(1)',
  'jar:javascript:alert(1)',
  'vbscript:msgbox(1)',
  'VBSCRIPT:msgbox(1)',
  'livescript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'DATA:image/svg+xml,<svg onload=alert(1)>',
  'data:,alert(1)',
  'blob:https://parley.test/1',
  'filesystem:https://parley.test/temporary/1',
  'file:///etc/passwd',
  'about:blank',
  'chrome://settings',
  'ms-settings:',
  'intent://scan/#Intent;scheme=zxing;end',
  'ftp://example.com',
  'ws://example.com',
  'tel:1',
  'x:y',
]

const writings: ((address: string) => string)[] = [
  (address) => `[click](${address})`,
  (address) => `[click](<${address}>)`,
  (address) => `[click](${address} "title")`,
  (address) => `[**click**](${address})`,
  (address) => `![click](${address})`,
  (address) => `[![click](${address})](${address})`,
  (address) => `<${address}>`,
  (address) => `[click][1]\n\n[1]: ${address}`,
  (address) => address,
  (address) => `[click](\t${address}\t)`,
  (address) => `| [click](${address}) |\n| - |\n| ${address} |`,
]

test.each(schemes)('a link to %j has no URL', (address) => {
  for (const write of writings) {
    const html = expectHarmless(write(address))
    for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g)) {
      // Encoded or escaped, it is a path on this server, never the URL it pretends to be.
      expect(new URL(decoded(href), location.href).protocol, write(address)).toBe('https:')
    }
  }
})

const hosts = ['//evil.example', '\\\\\\\\evil.example', '/\\\\evil.example', '\\\\/evil.example', '/\t/evil.example']
const disguised = ['\u0001//evil.example', 'https://parley.test@evil.example', 'https://parley.test.evil.example']

test.each([...hosts, ...disguised])('%j is a link to another server', (address) => {
  for (const write of writings) expectHarmless(write(address))
  expect(shown(`[click](<${address.replace('\t', '&Tab;')}>)`)).toContain('rel="noopener noreferrer nofollow"')
})

const handlers = ['onerror', 'onload', 'onclick', 'onmouseover', 'onfocus', 'ontoggle', 'onbegin', 'onpointerenter']
const elements =
  'img svg math script style iframe object embed form input button video audio details body link meta base a div x-y template noscript textarea title xmp marquee isindex'.split(
    ' ',
  )
const markup = [
  ...elements.flatMap((element) => handlers.map((handler) => `<${element} src=x ${handler}=alert(1)>`)),
  ...elements.map((element) => `<${element}>alert(1)</${element}>`),
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example/x.js></sCrIpT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src="x" onerror="alert(1)"',
  '<img src=`x` onerror=alert(1)>',
  '<img/src=x/onerror=alert(1)>',
  '<img\tsrc=x\nonerror\n=\nalert(1)>',
  '<img src=x onerror=&#97;lert(1)>',
  '<<img src=x onerror=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<form><button formaction=javascript:alert(1)>x</form>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">click</a>',
  '<a href=//evil.example>click</a>',
  '<base href=//evil.example>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<link rel=stylesheet href=//evil.example>',
  '<style>@import "//evil.example"</style>',
  '<div style="background:url(//evil.example)">x</div>',
  '<!-- comment -->',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)>',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<!DOCTYPE html [<!ENTITY x "y">]>',
  '</p></div><img src=x onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover=alert(1) x='",
  '<>',
  '<',
  '</',
  '<a',
  '<a b="',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea><img src=x onerror=alert(1)>',
  '<template><img src=x onerror=alert(1)></template>',
  '<img src=x onerror=alert(1)//',
  '\u0000<img src=x onerror=alert(1)>',
  '<\u0000script>alert(1)</script>',
  '\ufeff<script>alert(1)</script>',
]

const places: ((text: string) => string)[] = [
  (text) => text,
  (text) => `before ${text} after`,
  (text) => `> ${text}`,
  (text) => `1. ${text}`,
  (text) => `# ${text}`,
  (text) => `**${text}**`,
  (text) => `| a |\n| - |\n| ${text} |`,
  (text) => `\`${text}\``,
  (text) => `\`\`\`html\n${text}\n\`\`\``,
  (text) => `\`\`\`${text}\nx\n\`\`\``,
  (text) => `[${text}](https://example.com)`,
  (text) => `[x](https://example.com "${text}")`,
  (text) => `![${text}](${text})`,
  (text) => `[x](<${text}>)`,
  (text) => `<https://example.com/${text}>`,
  (text) => `<b>\n\n${text}\n\n</b>`,
]

test.each(places.map((place) => ({ place, name: place('…') })))(
  'no markup becomes an element in $name',
  ({ place }) => {
    for (const text of markup) expectHarmless(place(text))
  },
)

test('markup is shown as text', () => {
  for (const text of markup) {
    const plain = text
      .replaceAll('\0', '\ufffd')
      .replace('&#97;', 'a')
      .replace(/^\ufeff/, '')
    if (/[`[]/.test(text)) continue
    expect(words(shown(`: ${text}`)).replace(/\s+/g, ' '), text).toBe(`: ${plain}`.trimEnd().replace(/\s+/g, ' '))
  }
  expect(shown('<b>**x** @ada</b>')).toContain('&lt;b&gt;<strong>x</strong> @ada&lt;/b&gt;')
})

test('an image becomes a link, and nothing is loaded', () => {
  const html = shown(
    '![a cat](https://example.com/cat.png) ![](//example.com/x.png) [![in a link](https://a.example/b.png)](https://c.example)',
  )
  expect(html).not.toMatch(/<(img|picture|video|audio|iframe)/)
  expect(html).toContain('href="https://example.com/cat.png"')
  expect(words(html)).toBe('a cat //example.com/x.png in a link')
})
