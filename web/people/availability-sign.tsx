import type { Profile } from '#contract/users'
import { Lazy } from '../ui/lazy/lazy.tsx'

const mark = () => import('./availability-mark.tsx')

/** A sign that somebody is away (chosen or idle) or not to be disturbed. Renders nothing for others. */
export const AvailabilitySign = ({ person }: { person: Profile }) =>
  person.availability || person.isIdle ? <Lazy load={mark} isOptional person={person} /> : null
