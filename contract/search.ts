import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, numeral, Time } from './ids.ts'
import { limits } from './limits.ts'
import { hasKinds, MOMENT } from './search-query.ts'
import { Query, storable } from './text.ts'
import { User } from './users.ts'

/** The matches in `content`: start and end in UTF-16 code units, in order, not overlapping. */
const Matches = z.array(z.tuple([z.int(), z.int()]))

/** A found message, with a snippet around the first match, or its full text if short. */
export const FoundMessage = z.object({
  /** The message's. */
  id: Id,
  type: z.literal('message'),
  /** `#name`, or `@` and the other people of a direct message. */
  location: z.string(),
  content: z.string(),
  metadata: z.object({
    channelId: Id,
    messageId: Id,
    /** The parent, if this is a reply. */
    threadId: z.nullable(Id),
    timestamp: Time,
    author: User,
    matches: Matches,
  }),
})

/** A file found by its name. */
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

const Moment = z.string().check(z.regex(MOMENT, fieldProblem('errors.notADay')))

export const search = endpoint({
  method: 'GET',
  path: '/api/search',
  summary:
    'Messages and files I can read that contain all words of `q`, newest first. `q` may contain filters such as `from:ada`.',
  query: z.object({
    /** White space without a filter finds nothing. */
    q: z._default(
      z
        .string()
        .check(
          z.maxLength(limits.search.query, fieldProblem('errors.tooLong', { max: limits.search.query })),
          storable,
        ),
      '',
    ),
    type: z.optional(z.enum(['message', 'file'], fieldProblem('errors.notOneOf', { options: 'message, file' }))),
    channelId: z.optional(Id),
    /** A user's id or username, or `me`. */
    from: z.optional(Query),
    /** Days are in UTC and excluded. */
    before: z.optional(Moment),
    after: z.optional(Moment),
    has: z.optional(z.enum(hasKinds, fieldProblem('errors.notOneOf', { options: hasKinds.join(', ') }))),
    /** The id of the last result so far: returns older ones. */
    cursor: z.optional(Id),
    limit: z._default(numeral(1, limits.search.max), limits.search.default),
  }),
  reply: z.array(SearchResult),
})
