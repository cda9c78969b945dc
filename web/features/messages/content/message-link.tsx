import { createContext, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'

/** By name in lower case, the channels that a `#name` leads to. */
export const ChannelIds = createContext<Readonly<Record<string, string>>>({})

const KEPT = /^(https?|ircs?|mailto|xmpp):$/

/** Where an address leads: to a page of this app, to something else of this server, or elsewhere. */
export interface Destination {
  kind: 'page' | 'ours' | 'elsewhere'
  address: string
}

/**
 * Reads an address as the browser does, so that neither `//host` and `\\host` nor tabs and control characters within
 * a scheme pass for what they are not. Nothing for one that a message must not open.
 */
export function destinationOf(written: string, here = location.href): Destination | undefined {
  if (written.trim() === '' || !URL.canParse(written, here)) return undefined
  const url = new URL(written, here)
  if (!KEPT.test(url.protocol)) return undefined
  if (url.origin !== new URL(here).origin) return { kind: 'elsewhere', address: url.href }
  const isPage = [paths.channel(''), paths.dashboard].some((path) => url.pathname.startsWith(path))
  return isPage ? { kind: 'page', address: url.pathname + url.search + url.hash } : { kind: 'ours', address: url.href }
}

interface Props {
  /** As it was written. */
  address: string
  title?: string | undefined
  /** Whether its text is the address. */
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
      // What another program opens would leave an empty tab behind.
      target={address.startsWith('http') ? '_blank' : undefined}
      rel={kind === 'ours' ? 'noopener' : 'noopener noreferrer nofollow'}
    >
      {children}
    </a>
  )
}
