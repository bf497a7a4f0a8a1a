import { Text } from '@mantine/core'
import { accentOf } from '../../hosted/accent.ts'
import icon from '../../icon.svg'
import { useTranslation } from '../../translation.ts'

interface BrandingPreviewProps {
  branding: { name: string; logo: string; color: string }
}

export const BrandingPreview = ({ branding: { name, logo, color } }: BrandingPreviewProps) => {
  const { t } = useTranslation()
  return (
    <figure className="branding-preview" aria-label={t('settings.brandingPreview')}>
      <div className="branding-brand">
        <img src={logo || icon} alt="" />
        <Text fw={600} span className="breakable">
          {name || 'Tenantry'}
        </Text>
      </div>
      <Text fw={600} size="lg">
        {t('signIn.title')}
      </Text>
      <div className="branding-field" />
      <div className="branding-button" style={accentOf(color)}>
        {t('signIn.submit')}
      </div>
      <Text size="xs" c="dimmed">
        {location.host}
      </Text>
    </figure>
  )
}
