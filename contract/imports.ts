import * as z from 'zod/mini'
import { ChannelName } from './channel-name.ts'
import { endpoint } from './endpoint.ts'
import { Problem } from './errors.ts'
import { Id, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { User } from './users.ts'

/**
 * An archive is scanned (`reading`) and then `ready` to be imported. Once `done`, an import is `accepted`, or `undone` by way of
 * `undoing`. A `failed` one can be retried.
 */
export const importStates = [
  'reading',
  'ready',
  'running',
  'done',
  'undoing',
  'failed',
  'accepted',
  'undone',
  'cancelled',
] as const
export type ImportState = (typeof importStates)[number]

const Key = z.string().check(z.minLength(1), z.maxLength(200))

/** A channel of the archive. */
export const ImportedChannel = z.object({
  key: z.string(),
  /** Its name in the archive. */
  name: z.string(),
  /** Its name here: a different one if that is taken. */
  newName: z.string(),
  visibility: z.enum(['public', 'private', 'direct']),
  messages: z.int(),
  /** It was imported before, and is left unchanged. */
  isKnown: z.boolean(),
})
export type ImportedChannel = z.output<typeof ImportedChannel>

/** A person of the archive. */
export const ImportedPerson = z.object({
  key: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  isBot: z.boolean(),
  /** Their account here, matched by a verified address or by an earlier import. */
  user: z.nullable(User),
  /** An account here with the same address that nobody has confirmed: whether it is them is the owner's decision. */
  unproven: z.optional(User),
})
export type ImportedPerson = z.output<typeof ImportedPerson>

/** What topics become. */
export const TopicsAs = z.enum(['threads', 'channels'])
export type TopicsAs = z.output<typeof TopicsAs>

/** The contents of an archive, before it is imported. */
export const ImportPlan = z.object({
  people: z.int(),
  bots: z.int(),
  /** People who have an account here. */
  matched: z.int(),
  channels: z.object({ public: z.int(), private: z.int(), direct: z.int() }),
  /** Replies included. */
  messages: z.int(),
  replies: z.int(),
  reactions: z.int(),
  /** Pinned messages, custom emoji and archived channels; absent from plans of earlier versions. */
  pins: z.optional(z.int()),
  emoji: z.optional(z.int()),
  archived: z.optional(z.int()),
  files: z.int(),
  fileBytes: z.int(),
  /**
   * Files that the archive only links to, and that can be fetched; while it is imported, those that are left to be fetched. Absent
   * from plans of earlier versions.
   */
  linked: z.optional(z.object({ files: z.int(), bytes: z.int(), examples: z.array(z.string()), fetched: z.int() })),
  /** Of these, once it is imported: how many could not be fetched, and the names of the first ones. */
  notFetched: z.optional(z.object({ count: z.int(), names: z.array(z.string()) })),
  firstAt: z.nullable(Time),
  lastAt: z.nullable(Time),
  /** Messages older than the retention period here, which will be deleted soon. */
  expiring: z.int(),
  /** Present if it has topics, which can be threads or channels. */
  topics: z.optional(z.object({ count: z.int(), as: TopicsAs })),
  /** Content that is dropped or altered: how often, and where. The languages contain texts as 'imports.omitted.…'. */
  omitted: z.array(z.object({ omission: z.string(), count: z.int(), examples: z.array(z.string()) })),
  /** The first channels, those whose name is taken leading. */
  channelList: z.array(ImportedChannel),
  personList: z.array(ImportedPerson),
})
export type ImportPlan = z.output<typeof ImportPlan>

export const Import = z.object({
  id: Id,
  fileName: z.string(),
  /** Bytes of the archive. */
  size: z.int(),
  /** Such as `slack`; null until the archive has been read. */
  format: z.nullable(z.string()),
  state: z.enum(importStates),
  plan: z.nullable(ImportPlan),
  /** Messages imported so far, and the total. */
  messages: z.int(),
  total: z.int(),
  /** Why it failed. */
  problem: z.nullable(Problem),
  /** Whether it can be retried. */
  canRetry: z.boolean(),
  startedBy: User,
  createdAt: Time,
  finishedAt: z.nullable(Time),
})
export type Import = z.output<typeof Import>

export const listImports = endpoint({
  method: 'GET',
  path: '/api/imports',
  summary: 'Imports, newest first. For the workspace’s owner, as all that follows.',
  reply: z.array(Import),
})

export const uploadImport = endpoint({
  method: 'POST',
  path: '/api/imports',
  summary: 'Upload an archive of another product or of Parley. It is read first; nothing is imported yet.',
  takes: 'multipart/form-data',
  body: z.object({ file: z.file() }),
  status: 201,
  reply: Import,
})

const one = z.object({ importId: Id })

/** For files at Slack, besides the token that links of its own exports contain. */
const SlackToken = z.string().check(z.regex(/^[!-~]{1,500}$/))

export const readTopics = endpoint({
  method: 'POST',
  path: '/api/imports/:importId/topics',
  summary: 'Read an archive of Zulip again, with its topics as threads or as channels. At most 2,000 can be channels.',
  params: one,
  body: z.object({ as: TopicsAs }),
  reply: Import,
})

export const startImport = endpoint({
  method: 'POST',
  path: '/api/imports/:importId/start',
  summary:
    'Import what was read. `channels` gives other names, `people` says who has an account here already. With `slack`, files that the archive only links to are fetched from Slack; with a token, emoji, too. `topics` is what the report said they become; if it says something else by now, the answer is 409.',
  params: one,
  maxBodyBytes: limits.largeBody,
  body: z.object({
    channels: z._default(
      z.array(z.object({ key: Key, name: ChannelName })).check(z.maxLength(limits.imports.listed)),
      [],
    ),
    people: z._default(z.array(z.object({ key: Key, userId: UserId })).check(z.maxLength(limits.imports.listed)), []),
    slack: z.optional(z.object({ token: z.optional(SlackToken) })),
    topics: z.optional(TopicsAs),
  }),
  reply: Import,
})

export const retryImport = endpoint({
  method: 'POST',
  path: '/api/imports/:importId/retry',
  summary:
    'Go on with an import that failed, where it stopped. If Slack refused files: with another token, without what it refuses, or without all that is left to be fetched.',
  params: one,
  body: z.object({
    slack: z.optional(z.object({ token: z.optional(SlackToken), skipsRefused: z.optional(z.boolean()) })),
    withoutFiles: z.optional(z.boolean()),
  }),
  reply: Import,
})

export const acceptImport = endpoint({
  method: 'POST',
  path: '/api/imports/:importId/accept',
  summary: 'Keep what was imported: it can no longer be undone.',
  params: one,
  reply: Import,
})

/** What people have added since an import began: messages in its channels, and reactions to messages of the archive. */
export const UndoLosses = z.object({ messages: z.int(), reactions: z.int() })
export type UndoLosses = z.output<typeof UndoLosses>

export const readUndoLosses = endpoint({
  method: 'GET',
  path: '/api/imports/:importId/undo-losses',
  summary: 'What people have added since an import began, and would lose by undoing it.',
  params: one,
  reply: UndoLosses,
})

export const undoImport = endpoint({
  method: 'DELETE',
  path: '/api/imports/:importId',
  summary:
    'Cancel an import, or undo it: removes its channels, messages, files, and the people nobody has signed in as.',
  params: one,
  reply: Import,
})

/** An imported person as whom nobody has signed in. */
export const UnclaimedPerson = z.extend(User, { email: z.nullable(z.string()) })
export type UnclaimedPerson = z.output<typeof UnclaimedPerson>

export const listUnclaimed = endpoint({
  method: 'GET',
  path: '/api/imports/people',
  summary: 'Imported people whom nobody has signed in as, by username: the first of them.',
  reply: z.object({ people: z.array(UnclaimedPerson), total: z.int() }),
})

export const createClaim = endpoint({
  method: 'POST',
  path: '/api/imports/people/:userId/claim',
  summary:
    'Create a one-time link with which an imported person sets a password and signs in; their earlier one ends. Its `code` is returned only once.',
  params: z.object({ userId: UserId }),
  status: 201,
  reply: z.object({ code: z.string(), expiresAt: Time }),
})
