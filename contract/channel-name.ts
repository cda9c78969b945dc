import * as z from 'zod/mini'
import { fieldProblem } from './errors.ts'
import { limits } from './limits.ts'
import { seenText } from './text.ts'

/** The channel of files that were uploaded outside of any channel; hidden from every list. */
export const PUBLIC_FILES = 'public-files'

/** Names of direct messages, made of usernames. Only a label: usernames change, the members do not. */
export const directName = (usernames: string[]) => `dm-${usernames.toSorted().join('-')}`
export const isDirectName = (name: string) => /^dm-/i.test(name)

/** A name as typed. If it names a direct message, that is opened. */
export const AskedName = z.pipe(
  seenText(limits.channelName),
  z.string().check(
    z.refine((name) => !name.startsWith('#'), fieldProblem('errors.beginsWithHash')),
    z.refine((name) => name.toLowerCase() !== PUBLIC_FILES, fieldProblem('errors.reserved')),
  ),
)

/** A valid channel name. The server also refuses names that look like reserved ones. */
export const ChannelName = z.pipe(
  AskedName,
  z.string().check(z.refine((name) => !isDirectName(name), fieldProblem('errors.reserved'))),
)
