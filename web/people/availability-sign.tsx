import type { Profile } from '#contract/users'
import { Lazy } from '../ui/lazy/lazy.tsx'

const mark = () => import('./availability-mark.tsx')

/** A sign that somebody is away or not to be disturbed. Renders nothing for others. */
export const AvailabilitySign = ({ person }: { person: Profile }) =>
  person.availability ? <Lazy load={mark} isOptional person={person} /> : null
