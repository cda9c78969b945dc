import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { seenText } from './text.ts'

/** The channel that holds files nobody put into a channel; hidden from every list. */
export const PUBLIC_FILES = 'public-files'

/** Direct messages are called so, by their people's usernames; only a label, because names change and people do not. */
export const directName = (usernames: string[]) => `dm-${usernames.toSorted().join('-')}`
export const isDirectName = (name: string) => /^dm-/i.test(name)

/** What a person may write where a name is asked for: also the name of a direct message, which opens it. */
export const AskedName = z.pipe(
  seenText(limits.channelName),
  z.string().check(
    z.refine((name) => !name.startsWith('#'), 'must not begin with #'),
    z.refine((name) => name.toLowerCase() !== PUBLIC_FILES, 'is reserved'),
  ),
)

/** A name a channel may have. The server also refuses what only looks like a reserved one. */
export const ChannelName = z.pipe(AskedName, z.string().check(z.refine((name) => !isDirectName(name), 'is reserved')))
