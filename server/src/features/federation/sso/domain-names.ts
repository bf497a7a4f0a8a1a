/** The domains that a tenant can prove. Nobody can prove a public suffix, or a domain where anybody can get an address. */
import { invalid } from '../../../errors/app-error.ts'

/** Mail providers that are open to everybody, without national suffixes: `yahoo` covers `yahoo.fr`. */
const freeMail = new Set(
  (
    '126.com 139.com 163.com 189.cn aim.com aliyun.com aol.com att.net bellsouth.net bigpond.com bluewin.ch bt.com ' +
    'btinternet.com centrum.cz charter.net comcast.net cox.net daum.net duck.com earthlink.net email.com email.cz ' +
    'fastmail.com fastmail.fm foxmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com ' +
    'hanmail.net hey.com hotmail.be hotmail.ca hotmail.co.jp hotmail.co.uk hotmail.com hotmail.com.br hotmail.de hotmail.es ' +
    'hotmail.fr hotmail.it hotmail.nl hushmail.com icloud.com iinet.net.au inbox.lv inbox.ru interia.pl juno.com kakao.com ' +
    'laposte.net libero.it list.ru live.ca live.cn live.co.uk live.com live.com.au live.de live.fr live.it live.nl mac.com ' +
    'mail.com mail.ee mail.ru mailbox.org mailfence.com me.com msn.com nate.com naver.com netzero.net o2.pl online.de ' +
    'optonline.net orange.fr outlook.at outlook.co.id outlook.com outlook.com.au outlook.com.br outlook.de outlook.es ' +
    'outlook.fr outlook.in outlook.it outlook.jp passport.com pm.me posteo.de proton.me protonmail.ch protonmail.com qq.com ' +
    'rambler.ru rediffmail.com rocketmail.com rogers.com runbox.com sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sina.cn ' +
    'sina.com sky.com sohu.com startmail.com t-online.de talktalk.net telenet.be terra.com.br tiscali.it tom.com tuta.com ' +
    'tuta.io tutamail.com tutanota.com tutanota.de ukr.net uol.com.br verizon.net virgilio.it virginmedia.com vodafone.de ' +
    'wanadoo.fr web.de wp.pl xtra.co.nz ya.ru yahoo.ca yahoo.co.id yahoo.co.in yahoo.co.jp yahoo.co.kr yahoo.co.uk yahoo.com ' +
    'yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.cn yahoo.com.hk yahoo.com.mx yahoo.com.ph yahoo.com.sg yahoo.com.tw ' +
    'yahoo.com.vn yahoo.de yahoo.es yahoo.fr yahoo.gr yahoo.in yahoo.it yahoo.nl yahoo.pl yahoo.se yandex.by yandex.com ' +
    'yandex.kz yandex.ru yandex.ua yeah.net ymail.com zoho.com zohomail.com'
  ).split(' '),
)

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** The last label must have a letter, so that no IP address matches. */
const shape = new RegExp(String.raw`^(?:${label}\.)+(?=[a-z0-9-]*[a-z])${label}$`)

/** A domain in its stored form: in lower case, and without a final dot. */
export const foldedDomain = (text: string): string => text.toLowerCase().replace(/\.$/, '')

/** Throws 400 for a folded domain that a tenant cannot prove. */
export const requireProvable = async (domain: string): Promise<void> => {
  if (!shape.test(domain)) {
    throw invalid('domain', 'must be a domain such as example.com, other scripts as xn--')
  }
  // Loaded for the first domain: the list of suffixes takes 3 MB.
  const { getPublicSuffix } = await import('tldts')
  if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain) {
    throw invalid('domain', 'is a suffix under which anybody can register names', 'domainPublic')
  }
  if (freeMail.has(domain)) {
    throw invalid('domain', 'belongs to a provider of mailboxes for everybody', 'domainPublic')
  }
}
