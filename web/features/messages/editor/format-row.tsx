import type { RefObject } from 'react'
import { readPreference, setPreference, usePreference } from '../../../browser/preferences.ts'
import { t } from '../../../i18n/text.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'

export const formatBar = () => import('./format-bar.tsx')

const useIsShown = () => usePreference('formatting') === 'shown'

/** Shows or hides the formatting buttons of all text areas on this device. */
export const toggleFormatRow = () =>
  setPreference('formatting', readPreference('formatting') === 'shown' ? 'hidden' : 'shown')

/** The formatting buttons of a text area, if this device shows them. */
export const FormatRow = (props: { textarea: RefObject<HTMLTextAreaElement | null> }) =>
  useIsShown() && <Lazy load={formatBar} waiting={<div className="h-8 pointer-coarse:h-11" />} isOptional {...props} />

/** Toggles the formatting buttons. */
export const FormatButton = () => (
  <IconButton
    name={t('messages.format.label')}
    keys="Mod+Shift+X"
    aria-pressed={useIsShown()}
    className="font-[600] text-ui aria-pressed:text-pine"
    onMouseDown={keepFocus}
    onClick={toggleFormatRow}
  >
    {t('messages.format.sample')}
  </IconButton>
)
