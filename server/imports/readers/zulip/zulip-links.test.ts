import { expect, it } from 'vitest'
import { zulipContent } from './zulip-text.ts'

const named = {
  people: new Map([['Ada', '1']]),
  channels: new Map([['general', 'stream 5']]),
  channelKeys: new Set(['stream 5']),
}
const server = 'https://chat.example'
const linked = (text: string) => zulipContent(text, named)

it('a quote’s link to a message of the archive follows it', () => {
  const link = `[said](${server}/#narrow/channel/5-old/topic/lunch.20.2E/near/12)`
  expect(linked(`@_**Ada|1** ${link}:\n\`\`\`quote\nhi\n\`\`\`\nyes`)).toEqual([
    { person: '1' },
    { text: ' ' },
    { message: '12', text: link, label: 'said' },
    { text: ':\n> hi\n\nyes' },
  ])
})

it('links to messages are found in each form', () => {
  for (const place of [
    'stream/5-old/topic/t/near/12',
    'stream/5/topic/t/near/12/',
    'channel/5-old/near/12',
    'dm/1,2-dm/near/12',
    'pm-with/1-Ada/near/12',
    'near/x/near/12',
    'stream/general/topic/t/near/12',
  ]) {
    const absolute = `[a *b*](${server}/#narrow/${place})`
    expect(linked(absolute)).toEqual([{ message: '12', text: absolute, label: 'a *b*' }])
    for (const start of ['#narrow/', '/#narrow/'])
      expect(linked(`[a](${start}${place})`)).toEqual([{ message: '12', text: 'a', label: 'a' }])
  }
  const address = `${server}/#narrow/channel/5-old/topic/t/near/12`
  expect(linked(`see ${address}.`)).toEqual([{ text: 'see ' }, { message: '12', text: address }, { text: '.' }])
})

it('links elsewhere, to pictures and in code stay', () => {
  for (const text of [
    `[a](${server}/#narrow/channel/6-x/topic/t/near/12)`,
    `${server}/#narrow/channel/6-x/topic/t/near/12`,
    `[a](${server}/#narrow/channel/5-x/topic/t)`,
    `[a](${server}/#narrow/channel/5-x/topic/t/near/x)`,
    `[a](${server}/near/12)`,
    `![a](/#narrow/channel/5-x/near/12)`,
    `\`[a](${server}/#narrow/channel/5-x/near/12)\``,
    `<${server}/#narrow/channel/5-x/near/12>`,
  ])
    expect(linked(text)).toEqual([{ text }])
})
