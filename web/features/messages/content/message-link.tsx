import { createContext, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'

/** Ids of channels by lower-case name, for `#name` links. */
export const ChannelIds = createContext<Readonly<Record<string, string>>>({})

const ALLOWED_SCHEMES = /^(https?|ircs?|mailto|xmpp):$/

/** Where a URL leads: to a page of this app, to something else on this server, or to another server. */
interface Destination {
  kind: 'page' | 'sameOrigin' | 'external'
  url: string
}

/**
 * Parses a URL as the browser does, so that `//host`, `\\host`, and tabs or control characters within a scheme cannot
 * disguise it. Returns undefined for a URL that a message must not open.
 */
export function parseLink(link: string, base = location.href): Destination | undefined {
  if (link.trim() === '' || !URL.canParse(link, base)) return undefined
  const url = new URL(link, base)
  if (!ALLOWED_SCHEMES.test(url.protocol)) return undefined
  if (url.origin !== new URL(base).origin) return { kind: 'external', url: url.href }
  const isPage = [paths.channel(''), paths.dashboard].some((path) => url.pathname.startsWith(path))
  return isPage ? { kind: 'page', url: url.pathname + url.search + url.hash } : { kind: 'sameOrigin', url: url.href }
}

interface Props {
  /** As written in the message. */
  url: string
  title?: string | undefined
  /** Whether the link text is the URL. */
  isBare?: boolean
  children: ReactNode
}

export function MessageLink({ url: written, title, isBare, children }: Props) {
  const destination = parseLink(written)
  // biome-ignore lint/a11y/useValidAnchor: shows the link text without a URL
  if (!destination) return <a>{children}</a>
  const { kind, url } = destination
  if (kind === 'page')
    return (
      <Link to={url} title={title}>
        {children}
      </Link>
    )
  return (
    <a
      href={url}
      className={isBare ? 'bare' : undefined}
      title={title}
      // A URL that another program opens would leave an empty tab.
      target={url.startsWith('http') ? '_blank' : undefined}
      rel={kind === 'sameOrigin' ? 'noopener' : 'noopener noreferrer nofollow'}
    >
      {children}
    </a>
  )
}
