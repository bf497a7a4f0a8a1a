import type { Profile } from '@tenantry/client'
import { useRef, useState, type ChangeEvent } from 'react'
import { initialsOf } from '../../initials.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { Button, Failure, Notice } from '../kit.tsx'
import { useAct } from '../use-form.ts'
import { useAccount } from './account.ts'
import { initialsColor } from './initials-color.ts'

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

/** The person's picture, or else the initials, with buttons that change it at once. */
export const OwnPicture = () => {
  const { t } = useTranslation()
  const { user, renew, say } = useAccount()
  const [isUnreadable, setUnreadable] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const saving = useAct(async (avatar: string) => {
    await client.profile.update({ avatar })
    say(t(avatar === '' ? 'ownProfile.pictureRemoved' : 'ownProfile.pictureSaved'))
    renew()
  })
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? []
    const avatar = file && (await shrinkPicture(file))
    // Otherwise no event would come if the person chooses the same file again.
    target.value = ''
    setUnreadable(file !== undefined && avatar === undefined)
    if (avatar !== undefined) saving.run(avatar)
  }
  return (
    <>
      <div className="picture">
        <Picture user={user} />
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/webp"
          onChange={(event) => void choose(event)}
        />
        <Button isSending={saving.isSending} onClick={() => input.current?.click()}>
          {t('ownProfile.choosePicture')}
        </Button>
        {user.avatar !== '' && (
          <Button isSending={saving.isSending} onClick={() => saving.run('')}>
            {t('ownProfile.removePicture')}
          </Button>
        )}
      </div>
      {isUnreadable && <Notice kind="bad">{t('ownProfile.notPicture')}</Notice>}
      <Failure error={saving.error} />
    </>
  )
}

/** It is a data URL: the page may load no picture from another host. */
const Picture = ({ user: { avatar, nickname, username } }: { user: Profile }) =>
  avatar.startsWith('data:') ? (
    <img src={avatar} alt="" />
  ) : (
    <span className="initials" style={{ background: initialsColor(nickname || username) }} aria-hidden>
      {initialsOf(nickname || username)}
    </span>
  )
