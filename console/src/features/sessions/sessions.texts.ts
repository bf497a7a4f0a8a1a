import { useTranslation } from '../../translation.ts'
import { deviceOf } from './device.ts'

/** Names browser and system of a user agent; undefined if it names neither. */
export const useDevice = () => {
  const { t } = useTranslation()
  return (userAgent: string): string | undefined => {
    const { browser, system } = deviceOf(userAgent)
    return browser && system ? t('common.device', { browser, system }) : (browser ?? system)
  }
}
