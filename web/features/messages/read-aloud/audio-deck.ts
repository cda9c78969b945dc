import { stopPlayback } from './playback.ts'

/** Times in seconds; `total` is NaN until it is known. */
interface Playback {
  phase: 'idle' | 'loading' | 'playing' | 'stopped' | 'failed'
  elapsed: number
  total: number
}

const IDLE: Playback = { phase: 'idle', elapsed: 0, total: Number.NaN }

/*
 * One audio element for the whole page: it plays one file at a time, and continues while its row is scrolled out of view.
 * It is created on the first click, so that nothing is requested before.
 */
let deck: HTMLAudioElement | undefined
let playback = IDLE
/** The path on which playback started: it stops when the user navigates away. */
let startedOn: string | undefined
const listeners = new Set<() => void>()

export function onPlayback(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** @param src an absolute URL, as the browser writes it */
export const playbackOf = (src: string) => (deck?.src === src ? playback : IDLE)

/** Plays or pauses; keeps the position. */
export function toggle(src: string) {
  deck ??= createDeck()
  if (deck.src !== src || deck.error) deck.src = src
  if (!deck.paused) return deck.pause()
  stopPlayback(() => deck?.pause())
  startedOn = location.pathname
  deck.play().catch((error: Error) => {
    // Paused before it started.
    if (error.name !== 'AbortError') console.error('Failed to play audio:', error)
  })
}

export function seek(src: string, seconds: number) {
  if (deck?.src !== src) return
  deck.currentTime = seconds
  publishPlayback(deck)
}

function createDeck() {
  const audio = new Audio()
  audio.preload = 'none'
  for (const event of ['play', 'pause', 'timeupdate', 'durationchange', 'emptied', 'error'])
    audio.addEventListener(event, () => publishPlayback(audio))
  audio.addEventListener('ended', () => {
    audio.currentTime = 0
  })
  return audio
}

function publishPlayback(from: HTMLAudioElement) {
  if (startedOn !== location.pathname) from.pause()
  playback = playbackFrom(from)
  for (const listener of listeners) listener()
}

function playbackFrom({ error, readyState, paused, currentTime, duration }: HTMLAudioElement): Playback {
  const isLoaded = readyState >= HTMLMediaElement.HAVE_METADATA
  const pausedPhase = isLoaded ? 'stopped' : 'idle'
  const runningPhase = isLoaded ? 'playing' : 'loading'
  const phase = paused ? pausedPhase : runningPhase
  return { phase: error ? 'failed' : phase, elapsed: currentTime, total: duration }
}
