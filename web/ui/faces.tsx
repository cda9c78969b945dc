import { Avatar } from './avatar.tsx'

const MAX_SHOWN = 3

interface Props {
  /** The first three are shown. */
  of: readonly { id: string; name: string; color?: number | null | undefined }[]
  size: 'xs' | 's'
}

/** Pictures of several people, side by side: overlapping ones would cover initials. */
export const Faces = ({ of: people, size }: Props) => (
  <span className="flex flex-none gap-0.5">
    {people.slice(0, MAX_SHOWN).map(({ id, name, color }) => (
      <Avatar key={id} id={id} name={name} color={color} size={size} />
    ))}
  </span>
)

/** So round that their corners pass each other. */
const pairs = {
  s: 'size-5 *:size-[11px] *:rounded-[4.5px] *:text-[7.5px]',
  m: 'size-7 *:size-[15.5px] *:rounded-[6.5px] *:text-[9.5px]',
  xl: 'size-14 *:size-[31px] *:rounded-[12px] *:text-ui',
}

/** The first two of a group, diagonally in a square as large as the picture of one. */
export const PairOfFaces = ({ of: people, size = 's' }: Pick<Props, 'of'> & { size?: keyof typeof pairs }) => (
  <span className={`relative block flex-none *:absolute *:last:end-0 *:last:bottom-0 ${pairs[size]}`}>
    {people.slice(0, 2).map(({ id, name, color }) => (
      <Avatar key={id} id={id} name={name} color={color} size="xs" />
    ))}
  </span>
)
