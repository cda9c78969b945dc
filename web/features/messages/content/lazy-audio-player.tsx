import type { StoredFile } from '#contract/files'
import { Lazy } from '../../../ui/lazy/lazy.tsx'

const player = () => import('./audio-player.tsx')

/** Its height is fixed before its code has loaded, so that the list does not move. */
export function LazyAudioPlayer(props: { content: string } | { file: StoredFile }) {
  return <Lazy load={player} waiting={<div className="h-15.5 w-[400px] max-w-full" />} {...props} />
}
