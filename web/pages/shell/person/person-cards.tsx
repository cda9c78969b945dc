import { useEffect, useRef, useState } from 'react'
import type { PersonCardProps } from '../../../people/person-card.ts'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { personCard } from './lazy-parts.ts'

interface Opened extends Pick<PersonCardProps, 'userId' | 'anchor' | 'origin'> {
  key: number
}

/**
 * The card of the person whose picture, name or mention is clicked: everything that is marked with `data-person`. It
 * listens to the whole page, so that rows need no code of their own. Lazy-loaded.
 */
export default function PersonCards() {
  const [opened, setOpened] = useState<Opened>()
  const shown = useRef(opened)
  useEffect(() => {
    shown.current = opened
  }, [opened])
  useEffect(() => {
    let key = 0
    const open = (userId: string, anchor: HTMLElement, origin: HTMLElement) =>
      setOpened({ key: ++key, userId, anchor, origin })
    /** As they were before the press, which moves the focus and closes the card. */
    let focused: Element | null = null
    let openAt: Element | undefined
    const onPress = () => {
      focused = document.activeElement
      openAt = shown.current?.anchor
    }
    const onClick = ({ target, detail }: MouseEvent) => {
      const anchor = personAt(target)
      if (!anchor) return
      if (anchor === openAt) setOpened(undefined)
      // A key clicks without a press.
      else open(anchor.dataset['person'] ?? '', anchor, originOf(anchor, detail > 0 ? focused : document.activeElement))
      openAt = undefined
    }
    const onPerson = (event: Event) => {
      const { target, detail } = event as CustomEvent<string>
      if (target instanceof HTMLElement) open(detail, target, rowOf(target))
    }
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('click', onClick)
    document.addEventListener('person', onPerson)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('click', onClick)
      document.removeEventListener('person', onPerson)
    }
  }, [])

  if (!opened) return null
  const { key, ...card } = opened
  // Another card may have replaced it.
  const close = () => setOpened((now) => (now === opened ? undefined : now))
  return <LazyDialog key={key} load={personCard} {...card} onClose={close} />
}

/** The marked element around a target, unless it is within another control. */
function personAt(target: EventTarget | null) {
  const marked = target instanceof Element ? target.closest<HTMLElement>('[data-person]') : null
  return marked?.parentElement?.closest('a, button') ? null : marked
}

/** The element that had the focus, or else the message. */
const originOf = (anchor: HTMLElement, focused: Element | null) =>
  focused instanceof HTMLElement && focused !== document.body && focused.isConnected ? focused : rowOf(anchor)

const rowOf = (anchor: HTMLElement): HTMLElement => anchor.closest('article') ?? anchor
