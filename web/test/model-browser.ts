import { QueryClient } from '@tanstack/react-query'
import { createAuthorRenames } from '../features/messages/sync/author-renames.ts'
import { createChannelSync } from '../features/messages/sync/channel-sync.ts'
import { isWindow, messagesIn } from '../features/messages/sync/message-queries.ts'
import { type MessageWindow, prepend } from '../features/messages/sync/message-window.ts'
import type { ModelChannel, ModelEvent } from './model-channel.ts'

/** A browser with windows of the channel, and a network that delays every response. */
export function browser(channel: ModelChannel, isDown: () => boolean = () => false, latency = () => 30) {
  const client = new QueryClient()
  const late = <T>(answer: () => T) =>
    new Promise<T>((resolve, reject) => {
      const read = answer()
      setTimeout(() => (isDown() ? reject(new Error('no network')) : resolve(read)), latency())
    })
  const sync = createChannelSync({
    client,
    onGone: () => {},
    source: {
      changes: (_, after) => late(() => channel.changes(after)),
      sync: (epoch, revs) =>
        late(() => ({
          epoch,
          gone: [],
          channels: revs['c'] === channel.rev ? {} : { c: channel.changes(revs['c'] ?? 0, 100) },
        })),
    },
  })
  const names = createAuthorRenames(client)
  const window = (threadId: string | null = null) => client.getQueryData(messagesIn('c', threadId).queryKey)
  return {
    client,
    sync,
    names,
    window,
    windows: () => client.getQueriesData<MessageWindow>({ predicate: isWindow }),
    applyEvent: (event: ModelEvent) => ('update' in event ? sync.receive(event.update) : names.rename(event.renamed)),
    open: (threadId: string | null = null) => {
      const opened = channel.page(threadId)
      setTimeout(
        () => client.setQueryData(messagesIn('c', threadId).queryKey, (current) => current ?? opened),
        latency(),
      )
    },
    older: (threadId: string | null = null) => {
      const before = window(threadId)?.messages[0]?.seq
      if (before === undefined) return
      const page = channel.page(threadId, before)
      const withMessages = (current: MessageWindow | undefined) =>
        current?.messages[0]?.seq === before ? prepend(current, page) : current
      setTimeout(() => client.setQueryData(messagesIn('c', threadId).queryKey, withMessages), latency())
    },
    end: () => {
      sync.end()
      names.end()
    },
  }
}
