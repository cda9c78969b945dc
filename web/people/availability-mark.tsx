import { Clock, MoonStar } from 'lucide-react'
import type { Profile } from '#contract/users'
import { t } from '../i18n/text.ts'
import { useCurrentAvailability } from './current-availability.ts'

/** The sign itself. Lazy-loaded: most people have none. */
export default function AvailabilityMark({ person }: { person: Profile }) {
  const availability = useCurrentAvailability(person)
  if (!availability) return null
  const Icon = availability === 'away' ? Clock : MoonStar
  const name = availability === 'away' ? t('people.away') : t('people.quiet')
  return (
    <span role="img" aria-label={name} title={name} className="flex-none text-faint">
      <Icon size={14} />
    </span>
  )
}
