import { containsLink } from './links.ts'
import { addGrams, factKey } from './ngrams.ts'

/** The text of a message that is not in a block yet. */
export interface UnindexedText {
  messageId: string
  channelId: string
  userId: string
  text: string
}

/** A few consecutive messages of one channel. The index maps keys to blocks. */
export interface Block {
  channelId: string
  messages: UnindexedText[]
  characters: number
}

/** Small blocks make false positives cheap; large ones keep the index small. */
const MAX_BLOCK_MESSAGES = 16
const MAX_BLOCK_CHARACTERS = 4000
/** Blocks are scanned newest first, so an edited old message gets its own block. */
const MAX_BLOCK_SPAN_MS = 24 * 3600 * 1000

/** @param texts in the order of their message ids */
export function groupIntoBlocks(texts: readonly UnindexedText[]): Block[] {
  const blocks: Block[] = []
  const open = new Map<string, Block>()
  for (const message of texts) {
    const { channelId, text } = message
    let block = open.get(channelId)
    if (!block || !fits(block, message)) {
      block = { channelId, messages: [], characters: 0 }
      open.set(channelId, block)
      blocks.push(block)
    }
    block.messages.push(message)
    block.characters += text.length
  }
  return blocks
}

function fits({ messages, characters }: Block, { messageId, text }: UnindexedText): boolean {
  const [first] = messages
  if (!first || messages.length >= MAX_BLOCK_MESSAGES || characters + text.length > MAX_BLOCK_CHARACTERS) return false
  return timeOf(messageId) - timeOf(first.messageId) <= MAX_BLOCK_SPAN_MS
}

/** The index keys of all messages of a block. */
export function indexKeysOf({ channelId, messages }: Block): number[] {
  const keys = new Set([factKey('channel', channelId)])
  for (const { text, userId } of messages) {
    addGrams(text, keys)
    keys.add(factKey('author', userId))
    if (containsLink(text)) keys.add(factKey('link'))
  }
  return [...keys]
}

/** A UUIDv7 begins with its milliseconds since 1970. */
const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
