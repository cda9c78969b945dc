import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, numeral, Time } from './ids.ts'
import { limits } from './limits.ts'
import { hasKinds, MOMENT } from './search-query.ts'
import { Query, storable } from './text.ts'
import { User } from './users.ts'

/** Where in `content` what was looked for stands: beginnings and ends in UTF-16 code units, in order, not overlapping. */
const Matches = z.array(z.tuple([z.int(), z.int()]))

/** A message that was found: a part of its text around the first match, cut with an ellipsis, or all of a short one. */
export const FoundMessage = z.object({
  /** The message's. */
  id: Id,
  type: z.literal('message'),
  /** `#name`, or `@` and the others of a direct message. */
  location: z.string(),
  content: z.string(),
  metadata: z.object({
    channelId: Id,
    messageId: Id,
    /** Of a reply: its parent. */
    threadId: z.nullable(Id),
    timestamp: Time,
    author: User,
    matches: Matches,
  }),
})

/** A file that was found by its name. */
export const FoundFile = z.object({
  /** The file's. */
  id: Id,
  type: z.literal('file'),
  location: z.literal('Files'),
  /** Its name. */
  content: z.string(),
  metadata: z.object({
    channelId: Id,
    /** The message it was sent with. */
    messageId: z.nullable(Id),
    timestamp: Time,
    author: User,
    fileUrl: z.string(),
    fileType: z.string(),
    fileSize: z.int(),
    matches: Matches,
  }),
})

export const SearchResult = z.discriminatedUnion('type', [FoundMessage, FoundFile])
export type SearchResult = z.output<typeof SearchResult>
export type FoundMessage = z.output<typeof FoundMessage>
export type FoundFile = z.output<typeof FoundFile>

const Moment = z.string().check(z.regex(MOMENT, 'must be a day as 2026-01-31, or a time in ISO 8601 and UTC'))

export const search = endpoint({
  method: 'GET',
  path: '/api/search',
  summary:
    'Messages and files I may read that hold all words of `q`, newest first; `q` may hold the filters as they are typed.',
  query: z.object({
    /** Nothing but white space, and no filter, finds nothing. */
    q: z._default(
      z
        .string()
        .check(z.maxLength(limits.search.query, `must have at most ${limits.search.query} characters`), storable),
      '',
    ),
    type: z.optional(z.enum(['message', 'file'], "must be 'message' or 'file'")),
    channelId: z.optional(Id),
    /** A person's id or username, or `me`. */
    from: z.optional(Query),
    before: z.optional(Moment),
    after: z.optional(Moment),
    has: z.optional(z.enum(hasKinds, `must be one of ${hasKinds.join(', ')}`)),
    /** The id of the last result there is already: older ones than it. */
    cursor: z.optional(Id),
    limit: z._default(numeral(1, limits.search.max), limits.search.default),
  }),
  reply: z.array(SearchResult),
})
