import type { ComponentType, ReactNode } from 'react'
import type { Profile } from '#contract/users'

/** What a dialog of this feature needs to let people be chosen; the page says who does it. */
export type PeoplePicker = ComponentType<{
  /** Those who are not offered, by id; undefined while it is not known. */
  without: ReadonlySet<string> | undefined
  chosen: Profile[]
  onChoose: (chosen: Profile[]) => void
  /** How many can be chosen. */
  most: number
  /** Stands below the people. */
  children?: ReactNode
}>
