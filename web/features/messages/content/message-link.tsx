import { createContext, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'

/** Ids of channels by lower-case name, for `#name` links. */
export const ChannelIds = createContext<Readonly<Record<string, string>>>({})

const ALLOWED_SCHEMES = /^(https?|ircs?|mailto|xmpp):$/

/** Whether a URL leads to a page of this app, to something else on this server, or elsewhere. */
export interface Destination {
  kind: 'page' | 'ours' | 'elsewhere'
  address: string
}

/**
 * Parses a URL as the browser does, so that `//host`, `\\host`, and tabs or control characters within a scheme cannot
 * disguise it. Returns undefined for a URL that a message must not open.
 */
export function destinationOf(written: string, here = location.href): Destination | undefined {
  if (written.trim() === '' || !URL.canParse(written, here)) return undefined
  const url = new URL(written, here)
  if (!ALLOWED_SCHEMES.test(url.protocol)) return undefined
  if (url.origin !== new URL(here).origin) return { kind: 'elsewhere', address: url.href }
  const isPage = [paths.channel(''), paths.dashboard].some((path) => url.pathname.startsWith(path))
  return isPage ? { kind: 'page', address: url.pathname + url.search + url.hash } : { kind: 'ours', address: url.href }
}

interface Props {
  /** As written in the message. */
  address: string
  title?: string | undefined
  /** Whether the link text is the URL. */
  isBare?: boolean
  children: ReactNode
}

export function MessageLink({ address: written, title, isBare, children }: Props) {
  const destination = destinationOf(written)
  // biome-ignore lint/a11y/useValidAnchor: the text of a link stays, its address does not
  if (!destination) return <a>{children}</a>
  const { kind, address } = destination
  if (kind === 'page')
    return (
      <Link to={address} title={title}>
        {children}
      </Link>
    )
  return (
    <a
      href={address}
      className={isBare ? 'bare' : undefined}
      title={title}
      // A URL that another program opens would leave an empty tab.
      target={address.startsWith('http') ? '_blank' : undefined}
      rel={kind === 'ours' ? 'noopener' : 'noopener noreferrer nofollow'}
    >
      {children}
    </a>
  )
}
