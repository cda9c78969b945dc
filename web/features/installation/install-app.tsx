import { installApp, useInstallOffer } from '../../browser/install-offer.ts'
import { t } from '../../i18n/text.ts'
import { isHomeScreenDevice, isInstalled } from '../../ui/device/installed.ts'
import { Button } from '../../ui/input/button.tsx'

/** Installs Parley as an app on this device, or says how to; nothing if it is one already, or the browser can't. */
export function InstallApp() {
  const canInstall = useInstallOffer()
  const isByHand = !canInstall && isHomeScreenDevice()
  if (isInstalled() || !(canInstall || isByHand)) return null
  return (
    <section className="mb-6">
      <h4 className="mb-1 font-[550] text-ui">{t('installation.title')}</h4>
      <div className="flex items-start gap-4">
        <p className="min-w-0 flex-1 text-pretty text-soft text-ui">
          {isByHand ? t('installation.homeScreen') : t('installation.hint')}
        </p>
        {canInstall && (
          <Button variant="line" className="flex-none pointer-coarse:h-11" onClick={installApp}>
            {t('installation.install')}
          </Button>
        )}
      </div>
    </section>
  )
}
