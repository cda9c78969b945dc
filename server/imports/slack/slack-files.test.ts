import { describe, expect, test } from 'vitest'
import { isSlackFile, SlackFailure } from './slack-client.ts'
import { SlackFiles } from './slack-files.ts'

/** Fails as listed, then succeeds. */
const failing = (...failures: SlackFailure[]) => {
  const fetch = async () => {
    fetch.calls++
    const failure = failures.shift()
    if (failure) throw failure
    return { size: 5 }
  }
  fetch.calls = 0
  return fetch
}
const failure = (kind: SlackFailure['kind'], waitMs = 0) => new SlackFailure(kind, { waitMs })
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make)
const filesWith = (more = {}) =>
  new SlackFiles({
    client: { isReachable: async () => false } as never,
    skipsRefused: false,
    hasFetched: false,
    signal: new AbortController().signal,
    waitsMs: times(5, () => 1),
    ...more,
  })

describe('a file at Slack', () => {
  test('is tried again while Slack is busy or out of reach', async () => {
    const files = filesWith()
    const fetch = failing(failure('busy', 1), ...times(4, () => failure('unreachable')), failure('busy', 1))
    expect(await files.fetchFile('a', fetch)).toEqual({ size: 5 })
    expect(fetch.calls).toBe(7)
    expect(files.takeOutcome()).toEqual({ files: 1, bytes: 5, missing: [], missingFiles: 0 })
  })

  test('is missing if it is gone, or if Slack fails four times', async () => {
    const files = filesWith()
    expect(await files.fetchFile('gone', failing(failure('gone')))).toBeUndefined()
    const fetch = failing(...times(9, () => failure('failed')))
    expect(await files.fetchFile('ill', fetch)).toBeUndefined()
    expect(fetch.calls).toBe(4)
    expect(files.takeOutcome()).toEqual({ files: 0, bytes: 0, missing: ['gone', 'ill'], missingFiles: 2 })
    expect(files.takeOutcome()).toEqual({ files: 0, bytes: 0, missing: [], missingFiles: 0 })
  })

  test('is missing if only it is out of reach, whatever failed before', async () => {
    const files = filesWith({ client: { isReachable: async () => true } })
    const fetch = failing(failure('failed'), ...times(9, () => failure('unreachable')))
    expect(await files.fetchFile('a', fetch)).toBeUndefined()
    expect(fetch.calls).toBe(4)
    const mixed = filesWith()
    const other = failing(...times(4, () => failure('unreachable')), ...times(9, () => failure('failed')))
    expect(await mixed.fetchFile('b', other)).toBeUndefined()
    expect(mixed.takeOutcome().missing).toEqual(['b'])
  })

  test('ends the import if it is one of several in a row that are out of reach', async () => {
    const files = filesWith({ client: { isReachable: async () => true } })
    const away = () => failing(...times(9, () => failure('unreachable')))
    for (const name of ['a', 'b', 'c', 'd']) expect(await files.fetchFile(name, away())).toBeUndefined()
    await expect(files.fetchFile('e', away())).rejects.toMatchObject({ reason: 'filesUnreachable' })
  })

  test('ends the import if Slack stays out of reach, or busy', async () => {
    const away = failing(...times(9, () => failure('unreachable')))
    await expect(filesWith().fetchFile('a', away)).rejects.toMatchObject({ reason: 'filesUnreachable' })
    expect(away.calls).toBe(6)
    const busy = failing(...times(99, () => failure('busy')))
    await expect(filesWith().fetchFile('a', busy)).rejects.toMatchObject({ reason: 'filesUnreachable' })
  })

  test('ends the import if it is the first one and refused, or one of many in a row', async () => {
    const refused = () => failing(failure('refused'))
    await expect(filesWith().fetchFile('a', refused())).rejects.toMatchObject({ reason: 'filesRefused' })
    const files = filesWith()
    await files.fetchFile('first', failing())
    for (let n = 1; n < 20; n++) expect(await files.fetchFile(`f${n}`, refused())).toBeUndefined()
    await files.fetchFile('between', failing())
    for (let n = 1; n < 20; n++) expect(await files.fetchFile(`g${n}`, refused())).toBeUndefined()
    await expect(files.fetchFile('last', refused())).rejects.toMatchObject({ reason: 'filesRefused' })
    // After a restart, one is no longer the first.
    expect(await filesWith({ hasFetched: true }).fetchFile('a', refused())).toBeUndefined()
    const lenient = filesWith({ skipsRefused: true })
    for (let n = 1; n < 40; n++) expect(await lenient.fetchFile(`f${n}`, refused())).toBeUndefined()
  })

  test('is no longer waited for once the import is stopped', async () => {
    const stop = new AbortController()
    const fetch = failing(failure('busy', 60_000))
    const fetched = filesWith({ signal: stop.signal }).fetchFile('a', fetch)
    stop.abort()
    await expect(fetched).rejects.toThrow('aborted')
  })

  test('passes on errors that are not Slack’s', async () => {
    const fetch = () => Promise.reject(new Error('disk full'))
    await expect(filesWith().fetchFile('a', fetch)).rejects.toThrow('disk full')
  })
})

test.each([
  ['https://files.slack.com/files-pri/T1-F1/a.png', true],
  ['https://slack.com/files-pri/T1-F1/a.png?t=xoxe-1', true],
  ['https://acme.enterprise.slack.com/files-tmb/a', true],
  ['http://files.slack.com/files-pri/a', false],
  ['https://files.slack.com:8443/files-pri/a', false],
  ['https://files.slack.com.evil.example/files-pri/a', false],
  ['https://evilslack.com/files-pri/a', false],
  ['https://evil.example/files-pri/slack.com', false],
  ['https://evil.example#@files.slack.com/files-pri/a', false],
  ['https://evil.example\\@files.slack.com/files-pri/a', false],
  ['https://files.slack.com/api/auth.revoke', false],
  ['https://files.slack.com/files-pri/../api/auth.revoke', false],
  ['//files.slack.com/files-pri/a', false],
  ['https://user:password@files.slack.com/files-pri/a', false],
  ['', false],
])('%s is a file at Slack: %s', (url, isOne) => {
  expect(isSlackFile(url, 'https://slack.com')).toBe(isOne)
})
