import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { listMessages, type Message } from '#contract/messages'
import { ApiError, call } from '../../api.ts'
import { showToast } from '../../ui/toast.tsx'
import { failure } from './failures.ts'
import { loadOlder, messagesIn } from './message-queries.ts'

/** Milliseconds. */
const RINGED = 2000
/** Pages that are read to reach a message. */
const MOST = 40

/**
 * Follows the `?message=` of the address to where that message stands: reads back to it, scrolls to it, and names it for
 * two seconds. Of a reply it is the parent, whose thread opens.
 */
export function useLinkedMessage(channelId: string, isLoaded: boolean, pane: RefObject<HTMLElement | null>) {
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const linked = params.get('message')?.toLowerCase()
  const [ringed, setRinged] = useState<string>()
  const [isSeeking, setSeeking] = useState(false)

  const held = () => client.getQueryData(messagesIn(channelId).queryKey)?.messages ?? []
  const placeOf = (id: string | undefined) => held().findIndex((message) => message.id === id)

  /** The message, or the parent of a reply, which stands in the window then unless it is too far back. */
  async function seek(id: string, isWanted: () => boolean): Promise<Message | undefined> {
    const here = held()[placeOf(id)]
    if (here) return here
    const { body } = await call(listMessages, { params: { channelId }, query: { around: id, limit: 1 } })
    const [target] = body
    const isAhead = () => (held()[0]?.seq ?? 0) > (target?.seq ?? 0)
    for (let pages = 0; isAhead() && pages < MOST && isWanted(); pages++) await loadOlder(client, channelId)
    return target
  }

  const follow = useEffectEvent(async (id: string, isWanted: () => boolean) => {
    setSeeking(true)
    const found = await seek(id, isWanted).catch((error) => {
      const isGone = error instanceof ApiError && error.status < 500
      showToast(isGone ? 'There is no such message' : failure('Failed to load messages', error))
      return undefined
    })
    if (!isWanted()) return
    setSeeking(false)
    // Once followed, a link does not pull the reader back.
    setParams(
      (now) => {
        now.delete('message')
        if (found && found.id !== id) now.set('thread', found.id)
        return now
      },
      { replace: true },
    )
    if (found && placeOf(found.id) < 0) showToast('That message is too far back to go to')
    else setRinged(found?.id)
  })

  useEffect(() => {
    if (!linked || !isLoaded) return
    let isWanted = true
    void follow(linked, () => isWanted)
    return () => {
      isWanted = false
    }
  }, [linked, isLoaded])

  const lead = useEffectEvent((id: string) => {
    if (!pane.current) return () => {}
    return reveal(pane.current, id, (drawn) => placeOf(drawn) < placeOf(id))
  })
  useEffect(() => {
    if (!ringed) return
    const stop = lead(ringed)
    const timer = setTimeout(() => setRinged(undefined), RINGED)
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [ringed])

  return { ringed, isSeeking }
}

/** Frames in which a row is looked for. */
const PATIENCE = 120

/** Scrolls until a row is drawn, and then into the middle; rows that are not drawn have no place yet. */
function reveal(pane: HTMLElement, id: string, isBelow: (drawn: string | undefined) => boolean) {
  let frame = 0
  const look = (tries: number) => {
    const rows = [...pane.querySelectorAll<HTMLElement>('[data-message]')]
    const row = rows.find(({ dataset }) => dataset['message'] === id)
    const list = pane.querySelector('section')
    row?.scrollIntoView({ block: 'center' })
    if (!row && list) list.scrollTop += (isBelow(rows[0]?.dataset['message']) ? 1 : -1) * list.clientHeight
    // Rows that come into view are measured then, and move it.
    const left = row ? Math.min(tries, 3) : tries
    if (left > 1) frame = requestAnimationFrame(() => look(left - 1))
  }
  look(PATIENCE)
  return () => cancelAnimationFrame(frame)
}
