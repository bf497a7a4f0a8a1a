import { Button, FileButton, Group, Input } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useOffer } from '../../components/use-offer.ts'
import { useMe } from '../../session/me.ts'
import { useSavePicture } from './profile.queries.ts'

/** The service's limit for the data URL (docs/contract.md, "Users and accounts"). */
const lengthMax = 4096

/** The side in pixels. It is sharp at the largest size in the console, on a screen with two dots per pixel. */
const side = 96

const qualities = [0.9, 0.75, 0.6, 0.45, 0.3, 0.15]

/**
 * The central square of a picture as a small JPEG, without the metadata of a camera. Undefined if the browser cannot
 * read the file as a picture.
 */
const shrinkPicture = async (file: File): Promise<string | undefined> => {
  const picture = await createImageBitmap(file).catch(() => undefined)
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!picture || !context) return undefined
  canvas.width = side
  canvas.height = side
  context.imageSmoothingQuality = 'high'
  // A JPEG has no transparency.
  context.fillStyle = 'white'
  context.fillRect(0, 0, side, side)
  const { width, height } = picture
  const cut = Math.min(width, height)
  context.drawImage(picture, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, side, side)
  picture.close()
  const drawn = qualities.map((quality) => canvas.toDataURL('image/jpeg', quality))
  return drawn.find((url) => url.length <= lengthMax)
}

/** Saves a picture at once, and offers to restore the previous one. */
const usePictures = () => {
  const { t } = useTranslation()
  const { avatar: before } = useMe().user
  const { offer, withdraw } = useOffer()
  const undoing = useSavePicture(() => undefined)
  const saving = useSavePicture((avatar) =>
    offer(t(avatar === '' ? 'ownProfile.pictureRemoved' : 'ownProfile.pictureSaved'), t('common.undo'), () =>
      undoing.mutate(before),
    ),
  )
  return {
    save: (avatar: string): void => {
      withdraw()
      saving.mutate(avatar)
    },
    isPending: saving.isPending || undoing.isPending,
    error: saving.error ?? undoing.error,
    hasPicture: before !== '',
  }
}

export const OwnPicture = () => {
  const { t } = useTranslation()
  const { save, isPending, error, hasPicture } = usePictures()
  const [isUnreadable, setUnreadable] = useState(false)
  const forget = useRef<() => void>(null)
  const choose = async (file: File | null): Promise<void> => {
    // Otherwise no event would come if the user chooses the same file again.
    forget.current?.()
    if (!file) return
    const avatar = await shrinkPicture(file)
    setUnreadable(avatar === undefined)
    if (avatar !== undefined) save(avatar)
  }
  return (
    <Input.Wrapper
      component="div"
      error={isUnreadable && t('ownProfile.notPicture')}
      errorProps={{ role: 'alert' }}
    >
      <Group gap="xs" my={4}>
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          resetRef={forget}
          onChange={(file) => void choose(file)}
        >
          {(props) => (
            <Button {...props} size="compact-sm" variant="default" loading={isPending}>
              {t('ownProfile.choosePicture')}
            </Button>
          )}
        </FileButton>
        {hasPicture && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            c="var(--text-bad)"
            disabled={isPending}
            onClick={() => save('')}
          >
            {t('ownProfile.removePicture')}
          </Button>
        )}
      </Group>
      {error && <ErrorPanel error={error} />}
    </Input.Wrapper>
  )
}
