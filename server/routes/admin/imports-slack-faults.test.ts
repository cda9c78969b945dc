import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { atEnd } from '../../test/support/cleanup.ts'
import { PICTURE } from '../../test/support/fixture.ts'
import { exported, startImportFromSlack } from '../../test/support/import-from-slack.ts'
import { startSlack } from '../../test/support/slack-site.ts'

const { slack, until, uploaded, start, retry, shown } = await startImportFromSlack()

test('fetches only files of Slack', async () => {
  const files = [
    'http://169.254.169.254/files-pri/secret.txt',
    'http://127.0.0.1:1/files-pri/secret.txt',
    'http://evil.example/files-pri/x.txt',
    'https://slack.com.evil.example/files-pri/x.txt',
    'ORIGIN/api/auth.revoke',
    'ORIGIN/files-pri/../api/auth.revoke',
    'https://127.0.0.1/files-pri/x.txt',
    'file:///etc/passwd',
    'no address',
  ].map((url, index) => ({
    ...{ id: `F${index}`, name: `${index}.txt`, size: 1, mode: 'hosted' },
    url_private: url.replace('ORIGIN', slack.origin),
  }))
  const { plan } = await uploaded(exported({ text: 'one', files }))
  expect(plan).toMatchObject({ linked: { files: 0 }, omitted: [{ omission: 'missingFile', count: files.length }] })
  await start({ slack: { token: slack.token } })
  await until('done')
  expect(slack.requests.filter(({ path }) => !/^\/api\/(auth\.test|emoji\.list)$/.test(path))).toEqual([])
  const [[text, attached] = []] = await shown()
  expect(attached).toEqual([])
  for (const { name } of files) expect(text).toContain(`\`${name}\``)
})

test('follows no redirect to another host', async () => {
  const elsewhere = await startSlack()
  atEnd(elsewhere.close)
  const file = slack.file('F1', 'a.txt', 'a')
  const other = elsewhere.file('F1', 'a.txt', 'a')
  slack.answers.set(new URL(file.url_private_download).pathname, (response) =>
    response.writeHead(302, { location: other.url_private_download }).end(),
  )
  await uploaded(exported({ text: 'one', files: [file] }))
  await start({ slack: { token: slack.token } })
  expect(await until('failed')).toMatchObject({ problem: { reason: 'import.filesRefused' } })
  expect(elsewhere.requests).toEqual([])
})

test.each([
  [
    'a redirect in circles',
    (response: ServerResponse, path: string) => response.writeHead(302, { location: path }).end(),
  ],
  ['a redirect to an app', (response: ServerResponse) => response.writeHead(302, { location: 'slack://open' }).end()],
  ['an unknown encoding', (response: ServerResponse) => response.setHeader('content-encoding', 'zstd').end('x')],
])('%s concerns one file only', async (_, answer) => {
  const [good, bad] = [slack.file('F1', 'a.txt', 'a'), slack.file('F2', 'b.txt', 'b')]
  const { pathname } = new URL(bad.url_private_download)
  slack.answers.set(pathname, (response) => answer(response, pathname))
  await uploaded(exported({ text: 'one', files: [good, bad] }))
  await start({ slack: { token: slack.token } })
  const { plan } = await until('done')
  expect(plan?.notFetched).toEqual({ count: 1, names: ['b.txt'] })
  expect(await shown()).toEqual([['one\n\n📎 `b.txt`', ['a.txt']]])
})

test('emoji that are no pictures, or elsewhere, are named and cost nothing else', async () => {
  slack.picture('party', PICTURE)
  slack.picture('junk', Buffer.from('no picture'))
  Object.assign(slack.emoji, { nil: null, odd: { a: 1 }, inside: 'http://10.0.0.1/x.png', data: 'data:image/png,x' })
  const reactions = ['junk', 'party', 'never'].map((name) => ({ name, users: ['U1'] }))
  await uploaded(exported({ text: 'one', reactions }))
  await start({ slack: { token: slack.token } })
  const { plan } = await until('done')
  expect(plan).toMatchObject({ emoji: 1, omitted: [{ omission: 'customEmoji', examples: [':junk:', ':never:'] }] })
  expect(plan?.notFetched?.names.toSorted()).toEqual([':data:', ':inside:', ':junk:', ':nil:', ':odd:'])
})

test('a token for files only brings the files', async () => {
  slack.scopes.delete('emoji:read')
  const file = slack.file('F1', 'a.txt', 'a')
  await uploaded(exported({ text: 'one', files: [file], reactions: [{ name: 'party', users: ['U1'] }] }))
  await start({ slack: { token: slack.token } })
  const { plan } = await until('done')
  expect(plan).toMatchObject({ files: 1, omitted: [{ omission: 'customEmoji' }] })
  expect(plan?.notFetched).toBeUndefined()
})

test('an import that stopped goes on without files', async () => {
  const files = [slack.file('F1', 'a.txt', 'a'), slack.file('F2', 'b.txt', 'b')]
  await uploaded(exported({ text: 'one', files }))
  await start({ slack: {} })
  await until('failed')
  expect(await retry({ withoutFiles: true })).toMatchObject({ status: 200 })
  const { plan } = await until('done')
  expect(plan?.omitted).toEqual([{ omission: 'missingFile', count: 2, examples: ['a.txt', 'b.txt'] }])
  expect(await shown()).toEqual([['one\n\n📎 `a.txt`\n📎 `b.txt`', []]])
})

test('a fault of Slack’s is not taken for a wrong token; a token is only sent when it is of use', async () => {
  const file = slack.file('F1', 'a.txt', 'a')
  slack.answers.set('/api/auth.test', (response) => response.end('{"ok":false,"error":"internal_error"}'))
  await uploaded(exported({ files: [file] }))
  expect(await start({ slack: { token: slack.token } })).toMatchObject({ status: 200 })
  await until('done')
  slack.requests.length = 0
  expect(await start({ slack: { token: slack.token } })).toMatchObject({ status: 409 })
  expect(slack.requests).toEqual([])
})

test('names of missing files neither mention, nor link, nor break lines', async () => {
  const name = 'a\n\n# head @channel #general \u202egnp.exe'
  await uploaded(exported({ text: 'one', files: [{ id: 'F1', name, mode: 'hosted' }] }))
  await start()
  await until('done')
  expect(await shown()).toEqual([['one\n\n📎 `a # head @channel #general gnp.exe`', []]])
})
