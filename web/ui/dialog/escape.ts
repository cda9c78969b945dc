import { useEffect, useEffectEvent } from 'react'
import { isComposing } from '../input/is-composing.ts'

/** From what lies over the page, by what stands beside it, to the page itself. Of one rung the latest comes first. */
const rungs = ['over', 'beside', 'page'] as const
type Rung = (typeof rungs)[number]

const holders: { rung: Rung; act: () => void }[] = []
/** Whether a dialog, a menu or a list was open as the key came down: then the key is theirs. */
let isTheirs = false

/**
 * What Escape does while a part of the page stands. One press does one thing: it goes to the first rung that has
 * something, unless what had the focus, as a field that is edited, took it already.
 */
export function useEscape(rung: Rung, onEscape: () => void, isWanted = true) {
  const act = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isWanted) return
    const holder = { rung, act: () => act() }
    if (holders.length === 0) {
      window.addEventListener('keydown', look, true)
      window.addEventListener('keydown', hear)
    }
    holders.push(holder)
    return () => {
      holders.splice(holders.indexOf(holder), 1)
      if (holders.length > 0) return
      window.removeEventListener('keydown', look, true)
      window.removeEventListener('keydown', hear)
    }
  }, [rung, isWanted])
}

function look({ key }: KeyboardEvent) {
  if (key !== 'Escape') return
  isTheirs = document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null
}

function hear(event: KeyboardEvent) {
  const { key, defaultPrevented, repeat, ctrlKey, metaKey, altKey, shiftKey } = event
  if (key !== 'Escape' || isTheirs || defaultPrevented || isComposing(event) || repeat) return
  if (ctrlKey || metaKey || altKey || shiftKey) return
  const [first] = rungs.flatMap((rung) => holders.findLast((it) => it.rung === rung) ?? [])
  if (!first) return
  event.preventDefault()
  first.act()
}
