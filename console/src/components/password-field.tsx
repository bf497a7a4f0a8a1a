import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password, with a button that shows it and says so in the language of the page. */
export const PasswordField = (props: PasswordInputProps) => {
  const { t } = useTranslation()
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }} {...props} />
}
