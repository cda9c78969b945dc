import type { MouseEvent } from 'react'

/** For `onMouseDown`: a click on the element leaves the focus where it is. */
export const keepFocus = (event: MouseEvent) => event.preventDefault()
