import { useEffect, useLayoutEffect } from 'react'
import { cappedCount } from '../ui/count-badge.tsx'
import { setAppBadge } from './app-badge.ts'

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

/**
 * Shows in the tab's title and icon, and on the icon of the installed app, whether something is unread, or how many
 * notifications there are. The app's icon keeps its badge while that is unknown, and without a page.
 */
export function useAttention(attention: Attention | undefined) {
  useEffect(() => {
    show()
    if (attention) setAppBadge(attention === 'none' ? 0 : attention === 'unread' ? undefined : attention)
    if (!attention || attention === 'none') return
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
