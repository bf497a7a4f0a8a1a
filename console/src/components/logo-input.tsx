import { Button, FileButton, Group, Input } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../translation.ts'

/** The largest logo of a tenant in bytes (docs/contract.md, "Settings"), and the longer side in pixels that suits it. */
const logoBytesMax = 32_768
const logoSideMax = 512

interface Limits {
  bytesMax: number
  sideMax: number
}

const toUrl = (picture: ImageBitmap, scale: number): string => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return ''
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png')
}

/** The size of the picture in a data URL (base64). */
const bytesOf = (url: string): number => Math.ceil(((url.length - url.indexOf(',') - 1) * 3) / 4)

/** A picture as a PNG within the limits, without the metadata of a camera. Undefined for an unreadable file. */
const readLogo = async (file: File, { bytesMax, sideMax }: Limits): Promise<string | undefined> => {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return undefined
  const whole = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  const drawn = [1, 0.75, 0.5, 0.35, 0.25, 0.15].map((part) => toUrl(picture, whole * part))
  picture.close()
  return drawn.find((url) => url !== '' && bytesOf(url) <= bytesMax)
}

/** A picture is reduced to the limits. */
interface LogoInputProps extends Partial<Limits> {
  label?: string
  /** A data URL, "" for none. */
  value: string
  isReadOnly: boolean
  onChange: (logo: string) => void
}

/** Lets the user choose a picture, and reduces it to the allowed size. */
export const LogoInput = ({
  label,
  bytesMax = logoBytesMax,
  sideMax = logoSideMax,
  value,
  isReadOnly,
  onChange,
}: LogoInputProps) => {
  const { t } = useTranslation()
  const [isRefused, setRefused] = useState(false)
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return
    const logo = await readLogo(file, { bytesMax, sideMax })
    setRefused(logo === undefined)
    if (logo !== undefined) onChange(logo)
  }
  return (
    <Input.Wrapper
      component="div"
      label={label ?? t('logos.logo')}
      description={t('logos.hint')}
      error={isRefused && t('logos.wrong')}
      errorProps={{ role: 'alert' }}
    >
      {!isReadOnly && (
        <Group gap="xs" mt={4}>
          <FileButton accept="image/png,image/jpeg" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} size="xs" variant="default">
                {t('logos.choose')}
              </Button>
            )}
          </FileButton>
          {value !== '' && (
            <Button size="xs" variant="default" onClick={() => onChange('')}>
              {t('logos.remove')}
            </Button>
          )}
        </Group>
      )}
    </Input.Wrapper>
  )
}
