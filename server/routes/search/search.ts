import { setImmediate as nextTick } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { limits } from '#contract/limits'
import { withoutQuotes } from '#contract/quotes'
import { type FoundFile, type FoundMessage, search as searchCall } from '#contract/search'
import { rateLimited, searchTimedOut } from '../../errors.ts'
import { urlOf } from '../../files/file-rows.ts'
import { createKeyCounter } from '../../limits/key-counter.ts'
import { createTurns } from '../../limits/turns.ts'
import { route } from '../../route.ts'
import { type FileHit, findFiles, includesFiles } from '../../search/find-files.ts'
import { findMessages, type MessageHit } from '../../search/find-messages.ts'
import { parseSearch, type ResolvedSearch } from '../../search/parse-search.ts'
import { isStatementTimeout } from '../../search/search-database.ts'
import { snippetOf, wholeSnippet } from '../../search/snippet.ts'

/** Maximum time to make snippets before other requests are served. */
const MAX_BLOCKING_MS = 10

/** Searches messages and files. The queries themselves check which channels the viewer may read. */
export default async function search(app: FastifyInstance) {
  const { bounds, searchDatabases } = app
  // An expensive search needs a connection for seconds, so one user gets at most half of them.
  const turns = createTurns(bounds.searches)
  const running = createKeyCounter()

  route(app, searchCall, async ({ query, me }) => {
    if (running.count(me) >= limits.search.atOnce) throw rateLimited(1, 'errors.tooManySearches')
    running.enter(me)
    try {
      return await turns(me, async () => {
        const parsed = await parseSearch(searchDatabases.primary, me, query)
        if (!parsed) return []
        // One after the other, so that a search never holds more than one connection.
        const messages = query.type === 'file' ? [] : await findMessages(searchDatabases, parsed)
        const files = includesFiles(parsed, query.type) ? await findFiles(searchDatabases, parsed) : []
        const found = [...(await messageResults(messages, parsed)), ...files.map((hit) => fileResult(hit, parsed))]
        // Ids of messages and files are ordered by time.
        return found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, parsed.limit)
      })
    } catch (error) {
      throw isStatementTimeout(error) ? searchTimedOut(error) : error
    } finally {
      running.leave(me)
    }
  })
}

/** Long messages full of the terms take milliseconds each, so other requests are served in between. */
async function messageResults(hits: MessageHit[], parsed: ResolvedSearch) {
  const results: FoundMessage[] = []
  let since = performance.now()
  for (const hit of hits) {
    results.push(messageResult(hit, parsed))
    if (performance.now() - since < MAX_BLOCKING_MS) continue
    await nextTick()
    since = performance.now()
  }
  return results
}

function messageResult(hit: MessageHit, { terms }: ResolvedSearch): FoundMessage {
  const { id, channelId, threadId, timestamp, userId, username, name } = hit
  const { content, matches } = snippetOf(withoutQuotes(hit.content) || hit.content, terms)
  return {
    id,
    type: 'message',
    location: `${hit.isDirect ? '@' : '#'}${hit.channelName ?? ''}`,
    content,
    metadata: { channelId, messageId: id, threadId, timestamp, author: { id: userId, username, name }, matches },
  }
}

function fileResult(hit: FileHit, { terms }: ResolvedSearch): FoundFile {
  const { id, channelId, messageId, timestamp, userId, username, name, fileName, type, size } = hit
  const author = { id: userId, username, name }
  const { content, matches } = wholeSnippet(fileName, terms)
  const file = { fileUrl: urlOf({ id, name: fileName }), fileType: type, fileSize: size }
  return {
    id,
    type: 'file',
    location: 'Files',
    content,
    metadata: { channelId, messageId, timestamp, author, ...file, matches },
  }
}
