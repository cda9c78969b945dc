import { beforeAll, describe, expect, test } from 'vitest'
import { startParley } from '../../test/support/parley.ts'
import { contents, indexAll } from '../../test/support/search.ts'

// Message texts, the queries that find them, and those that must not.

const found: [typed: string, message: string][] = [
  // Parts of words, and words whatever their case
  ['voic', 'the invoices are out'],
  ['nvoices ar', 'the invoices are out'],
  ['INVOICES', 'the invoices are out'],
  ['the out', 'the invoices are out'],
  ['Straße', 'STRASSE 7 is closed'],
  ['москва', 'МОСКВА не сразу строилась'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσεύς came home'],
  ['istanbul', 'İSTANBUL office opens'],
  // Accents, typed or not
  ['cafe', 'meet at the Café'],
  ['café', 'the cafe is shut'],
  ['cafe\u0301', 'le café noir'],
  ['Zażółć', 'zazolc gesla jazn'],
  ['lodz', 'train to Łódź'],
  ['елка', 'ёлка is lit'],
  ['naive', 'a naïve plan'],
  // Tickets, versions, numbers
  ['PAY-1042', 'see PAY-1042 for the plan'],
  ['1042', 'see PAY-1042 for the plan'],
  ['pay-10', 'see PAY-1042 for the plan'],
  ['#2871', 'merged in #2871 today'],
  ['v2.14.0-rc.1', 'tagged v2.14.0-rc.1'],
  ['14.0-rc', 'tagged v2.14.0-rc.1'],
  ['-40 %', 'it is -40 % off'],
  ['€1,299.50', 'costs €1,299.50 net'],
  ['2026-01-31T10:00', 'at 2026-01-31T10:00Z it broke'],
  // Addresses
  ['grace.hopper+ops@example.com', 'mail grace.hopper+ops@example.com'],
  ['@example.com', 'mail grace.hopper+ops@example.com'],
  ['db-3.eu.example.net', 'db-3.eu.example.net is slow'],
  ['3.eu.exa', 'db-3.eu.example.net is slow'],
  ['10.42.0.17', 'ping 10.42.0.17 fails'],
  ['10.42.', 'ping 10.42.0.17 fails'],
  ['00:1B:44:11:3a:b7', 'its MAC is 00:1b:44:11:3A:B7'],
  ['fe80::1ff:fe23', 'bound to fe80::1ff:fe23:4567'],
  ['https://example.org/a/b?x=1&y=%20#frag', 'see https://example.org/a/b?x=1&y=%20#frag'],
  ['org/a/b?x=1', 'see https://example.org/a/b?x=1&y=%20#frag'],
  ['C:\\Users\\ada', 'it is in C:\\Users\\ada\\notes'],
  ['/var/log/nginx', 'tail /var/log/nginx/error.log'],
  ['./run.sh --dry-run', 'try ./run.sh --dry-run first'],
  // Code
  ['a->b', 'then a->b is null'],
  ['foo(bar)', 'call foo(bar) twice'],
  ['x != y', 'assert x != y here'],
  ['"x != y"', 'assert x != y here'],
  ['std::vector<int>', 'a std::vector<int> will do'],
  ['&&', 'if (a && b) return'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a shell would read
  ['${HOME}', 'set ${HOME} before'],
  ['arr[0]?.id ?? null', 'use arr[0]?.id ?? null'],
  ['/* TODO', 'left /* TODO: later */ there'],
  ['100%', 'we are at 100% now'],
  ['snake_case', 'prefer snake_case here'],
  ['%s_%d', 'printf("%s_%d")'],
  ['\\n', 'ends in \\n always'],
  ['"quoted"', 'say "quoted" aloud'],
  ['don’t', "please don't"],
  ["don't", 'please don’t'],
  ['<b>', 'write <b>bold</b>'],
  ['#release', 'tagged #release-party'],
  // Short terms
  ['db', 'the db is down'],
  ['C#', 'written in C# mostly'],
  ['UX', 'ask the UX team'],
  ['7', 'room number 7'],
  ['!', 'stop!'],
  ['☕', 'time for ☕'],
  // Emoji
  ['🚀', 'shipped 🚀'],
  ['👍', 'fine 👍🏽'],
  ['👍🏽', 'fine 👍🏽'],
  ['👩‍🚀', 'our 👩‍🚀 is back'],
  ['❤', 'with ❤️'],
  ['❤️', 'all my ❤ to you'],
  ['🇩🇪', 'we launch in 🇩🇪'],
  // Scripts without spaces
  ['東', '東京都の天気'],
  ['京都', '東京都の天気'],
  ['天气', '今天天气很好'],
  ['ラーメン', '昼はラーメンにする'],
  ['ﾗｰﾒﾝ', '昼はラーメンにする'],
  ['か', 'これは何ですか'],
  ['한국', '한국어 번역'],
  ['\u1112\u1161\u11ab', '한국어 번역'],
  ['어', '한국어 번역'],
  ['สวัสดี', 'พูดว่าสวัสดีครับ'],
  ['مرحبا', 'قال مرحبا للجميع'],
  ['हिन्दी', 'यह हिन्दी है'],
  // Phrases, and spaces
  ['"two words"', 'exactly two words stand here'],
  ['“two words”', 'exactly two words stand here'],
  ['"two words"', 'broken two\nwords by a line'],
  ['"ends here."', 'this ends here.'],
  ['here words', 'exactly two words stand here'],
  ['unbalanced "quote', 'an unbalanced "quote stands here'],
  // Not filters
  ['from:', 'the header From: is missing'],
  ['has:tea', 'she has:tea and biscuits'],
  ['before:noon', 'not before:noon please'],
  ['from:nobody-of-that-name', 'From:nobody-of-that-name in the log'],
  ['"from:ada"', 'it says from:ada there'],
  // Full width, ligatures, invisible characters
  ['ABC', 'ＡＢＣ in full width'],
  ['office', 'the oﬃce is open'],
  ['wordbreak', 'a word\u200bbreak and a soft hy\u00adphen'],
  ['hyphen', 'a word\u200bbreak and a soft hy\u00adphen'],
]

const missed: [typed: string, message: string][] = [
  ['invoicez', 'the invoices are out'],
  ['"out the"', 'the invoices are out'],
  ['invoices missing', 'the invoices are out'],
  ['PAY-1043', 'see PAY-1042 for the plan'],
  ['PAY1042', 'see PAY-1042 for the plan'],
  ['10x42', 'ping 10.42.0.17 fails'],
  ['10.43', 'ping 10.42.0.17 fails'],
  ['a-b', 'then a->b is null'],
  ['foo(baz)', 'call foo(bar) twice'],
  ['snakeXcase', 'prefer snake_case here'],
  ['in%voices', 'the invoices are out'],
  ['in_oices', 'the invoices are out'],
  ['inv*', 'the invoices are out'],
  ['invoices | rocket', 'the invoices are out'],
  ['-invoices', 'the invoices are out'],
  ['👍🏿', 'fine 👍🏽'],
  ['東都', '東京都の天気'],
  ['が', 'これは何ですか'],
  ['й', 'синий и белый'.replaceAll('й', 'и')],
  ['C++', 'written in C# mostly'],
  ['dbx', 'the db is down'],
  ['"two  stand"', 'exactly two words stand here'],
  ['\\d', 'room number 7'],
]

const parley = await startParley()
const { ada, eve } = await parley.people('ada', 'eve')
let channelId: string
const texts = [...new Set([...found, ...missed].map(([, message]) => message))]

beforeAll(async () => {
  channelId = (await ada.post('/api/channels', { name: 'corpus', isPrivate: true })).body.id
  const sent = await Promise.all(texts.map((content) => ada.post('/api/messages', { channelId, content })))
  expect(sent.filter(({ status }) => status !== 201)).toEqual([])
})

describe.each(['as it was sent', 'when it is indexed'])('%s', (when) => {
  beforeAll(async () => {
    if (when === 'when it is indexed') await indexAll(parley.app.db)
  })

  test.each(found)('%j finds %j', async (typed, message) => {
    expect(await contents(ada, typed, { limit: '50' })).toContain(message.replace(/\s+/g, ' '))
    expect(await contents(eve, typed)).toEqual([])
  })

  test.each(missed)('%j does not find %j', async (typed, message) => {
    expect(await contents(ada, typed, { limit: '50' })).not.toContain(message)
  })
})
