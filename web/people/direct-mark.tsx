import { Users } from 'lucide-react'
import type { Face } from '#contract/users'
import { Avatar } from '../ui/avatar.tsx'
import { PairOfFaces } from '../ui/faces.tsx'

/** Before the name of a direct message: the face of the other person, or those of two of a group. */
export function DirectMark({ others, size = 's' }: { others: readonly Face[]; size?: 's' | 'm' }) {
  const [other, another] = others
  if (!other) return <Users size={16} />
  if (another) return <PairOfFaces of={others} size={size} />
  return <Avatar id={other.id} name={other.name} color={other.color} size={size} />
}
