import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { typedText } from './text.ts'

/** The channel that holds files nobody put into a channel; hidden from every list. */
export const PUBLIC_FILES = 'public-files'

// Control and format characters (zero-width ones and direction marks among them), line and paragraph separators.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** A name a person may give a channel, in normal form. */
export const ChannelName = z.pipe(
  z.pipe(
    z.string(),
    z.transform((name) => name.normalize('NFC')),
  ),
  typedText(limits.channelName).check(
    z.refine((name) => !UNSEEN.test(name), 'must not hold control or invisible characters'),
    z.refine((name) => !name.startsWith('#'), 'must not begin with #'),
    z.refine((name) => !/^dm-/i.test(name) && name.toLowerCase() !== PUBLIC_FILES, 'is reserved'),
  ),
)
