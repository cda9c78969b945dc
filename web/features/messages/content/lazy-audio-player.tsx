import type { StoredFile } from '#contract/files'
import { Lazy } from '../../../ui/lazy/lazy.tsx'

const player = () => import('./audio-player.tsx')

/** A sound, that is a message or came with one. Its height is known before its code is there: the list does not move. */
export function LatePlayer(props: { content: string } | { file: StoredFile }) {
  return <Lazy load={player} waiting={<div className="h-15.5 w-[400px] max-w-full" />} {...props} />
}
