import { containsLink } from './links.ts'
import { addGrams, factKey } from './ngrams.ts'

/** A text that waits for its block, and what else is known of its message. */
export interface UnindexedText {
  messageId: string
  channelId: string
  userId: string
  text: string
}

/** A few messages of one channel that follow one another: what the index knows is which blocks hold a key. */
export interface Block {
  channelId: string
  messages: UnindexedText[]
  characters: number
}

/** Small, so that a block found for nothing costs little; not one message each, so that the index stays small. */
const MESSAGES = 16
const CHARACTERS = 4000
/** Milliseconds. A message edited years later comes alone, and blocks are looked at newest first. */
const SPAN = 24 * 3600 * 1000

/** Parts texts into blocks. @param waiting in the order of their ids */
export function groupIntoBlocks(waiting: readonly UnindexedText[]): Block[] {
  const blocks: Block[] = []
  const open = new Map<string, Block>()
  for (const message of waiting) {
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
  if (!first || messages.length >= MESSAGES || characters + text.length > CHARACTERS) return false
  return timeOf(messageId) - timeOf(first.messageId) <= SPAN
}

/** What all of a block's messages are found by. */
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
