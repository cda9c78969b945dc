import { useEffect, useLayoutEffect } from 'react'
import { cappedCount } from '../ui/count-badge.tsx'

/** The name of a workspace that was given none. */
export const PRODUCT = 'Parley'

/** What asks for attention: nothing, something unread, or a number of notifications. */
type Attention = 'none' | 'unread' | number

let page: string | undefined
let prefix = ''
let workspace = PRODUCT

const show = () => {
  document.title = prefix + (page === undefined ? workspace : `${page} · ${workspace}`)
}

/** Sets the title of the tab. */
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

/** Sets the name of the workspace in the title of the tab; while it is unknown, the last one stays. */
export function useTitleName(name: string | undefined) {
  useLayoutEffect(() => {
    if (name === undefined) return
    workspace = name
    show()
  }, [name])
}

/** Shows in the tab's title and icon whether something is unread, or how many notifications there are. */
export function useAttention(attention: Attention) {
  useEffect(() => {
    show()
    if (attention === 'none') return
    const isNumber = attention !== 'unread'
    prefix = isNumber ? `(${cappedCount(attention)}) ` : '• '
    show()
    icon().href = isNumber ? '/icon-calls.svg' : '/icon-unread.svg'
    return () => {
      prefix = ''
      show()
      icon().href = '/icon.svg'
    }
  }, [attention])
}

const icon = () => document.querySelector('link[rel=icon]') as HTMLLinkElement
