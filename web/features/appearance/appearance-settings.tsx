import { LanguageChoice } from './language-choice.tsx'
import { PreviewsChoice } from './previews-choice.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { UndoSendChoice } from './undo-send-choice.tsx'

/** How Parley looks on this device, and the language of my account. */
export function AppearanceSettings() {
  return (
    <>
      <ThemeChoice />
      <LanguageChoice />
      <PreviewsChoice />
      <UndoSendChoice />
    </>
  )
}
