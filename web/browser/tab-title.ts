import { useEffect } from 'react'

// What a tab says of itself while somebody looks elsewhere: its title, and the sign before it.

const APP = 'Parley'

/** What asks for attention: nothing, something to read, or so many calls. */
export type Attention = 'none' | 'unread' | number

let page: string | undefined
let sign = ''

const show = () => {
  document.title = sign + (page === undefined ? APP : `${page} · ${APP}`)
}

/** What the page shows, as the tab's title. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    page = title
    show()
    return () => {
      page = undefined
      show()
    }
  }, [title])
}

/** Says in the tab, by its title and its picture, what asks for attention. */
export function useAttention(attention: Attention) {
  useEffect(() => {
    show()
    if (attention === 'none') return
    const calls = attention !== 'unread'
    sign = calls ? `(${attention > 99 ? '99+' : attention}) ` : '• '
    show()
    picture().href = calls ? '/icon-calls.svg' : '/icon-unread.svg'
    return () => {
      sign = ''
      show()
      picture().href = '/icon.svg'
    }
  }, [attention])
}

const picture = () => document.querySelector('link[rel=icon]') as HTMLLinkElement
