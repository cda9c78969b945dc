import { Avatar } from './avatar.tsx'

const MAX_SHOWN = 3

interface Props {
  /** The first three are shown. */
  of: readonly { id: string; name: string; color?: number | null | undefined }[]
  size: 'xs' | 's'
}

/** Overlapping pictures of several people. */
export const Faces = ({ of: people, size }: Props) => (
  <span className="flex flex-none -space-x-[3px] *:shadow-[0_0_0_2px_var(--paper)]">
    {people.slice(0, MAX_SHOWN).map(({ id, name, color }) => (
      <Avatar key={id} id={id} name={name} color={color} size={size} />
    ))}
  </span>
)

/** The first two of a group, one over the other, in a square of 20 px. */
export const PairOfFaces = ({ of: people }: Pick<Props, 'of'>) => (
  <span className="relative block size-5 flex-none *:absolute *:size-3.5 *:rounded-[4.5px] *:text-[8.5px] *:last:end-0 *:last:bottom-0 *:last:shadow-[0_0_0_1.5px_var(--sunk)]">
    {people.slice(0, 2).map(({ id, name, color }) => (
      <Avatar key={id} id={id} name={name} color={color} size="xs" />
    ))}
  </span>
)
