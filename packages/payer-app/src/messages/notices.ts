import type { Language } from "./languages.ts";

/** A page's text in place of the requested content. */
export type Notice = Readonly<{ title: string; text: string }>;

/** `{again}` is replaced by the time after which it is worth another try: "in 5 minutes". */
type Notices = Readonly<{
  missing: Notice;
  tooMany: Notice;
  paused: Notice;
  fault: Notice;
  refused: Notice;
  again: string;
  /** The words of a page whose script has not begun, or never will. */
  unready: Readonly<Record<"late" | "reload" | "tooOld", string>>;
}>;

/** The texts of pages that stand for a refusal or a fault; they know nothing of a link. */
export const notices: Readonly<Record<Language, Notices>> = {
  en: {
    missing: {
      title: "We cannot find this page",
      text: "Check that the address is complete. If it is, ask whoever sent it to you for a new link.",
    },
    tooMany: { title: "Too many requests", text: "Too many requests came from your connection." },
    paused: {
      title: "The payment service is paused",
      text: "Nothing is lost, and a payment that you have started goes on.",
    },
    fault: {
      title: "Something went wrong on our side",
      text: "If you were paying, open this page again before you pay once more: it shows how your payment stands.",
    },
    refused: { title: "This page cannot be opened like this", text: "Open the link again that was sent to you." },
    again: "Please try again {again}.",
    unready: {
      late: "This page has not loaded completely, so that its buttons do not work yet.",
      reload: "Load it again",
      tooOld: "This browser is too old to pay with. Please update it, or open this link in another one.",
    },
  },
  es: {
    missing: {
      title: "No encontramos esta página",
      text: "Compruebe que la dirección esté completa. Si lo está, pida un enlace nuevo a quien se lo envió.",
    },
    tooMany: { title: "Demasiadas solicitudes", text: "Llegaron demasiadas solicitudes desde su conexión." },
    paused: {
      title: "El servicio de pago está en pausa",
      text: "No se ha perdido nada, y un pago que usted haya iniciado sigue su curso.",
    },
    fault: {
      title: "Algo falló de nuestro lado",
      text: "Si estaba pagando, vuelva a abrir esta página antes de pagar otra vez: muestra cómo está su pago.",
    },
    refused: { title: "Esta página no se puede abrir así", text: "Abra de nuevo el enlace que le enviaron." },
    again: "Inténtelo de nuevo {again}.",
    unready: {
      late: "Esta página no se ha cargado por completo y sus botones aún no funcionan.",
      reload: "Cargarla de nuevo",
      tooOld: "Este navegador es demasiado antiguo para pagar. Actualícelo o abra este enlace en otro.",
    },
  },
  pt: {
    missing: {
      title: "Não encontramos esta página",
      text: "Verifique se o endereço está completo. Se estiver, peça um novo link a quem o enviou.",
    },
    tooMany: { title: "Solicitações demais", text: "Sua conexão fez solicitações demais." },
    paused: {
      title: "O serviço de pagamento está em pausa",
      text: "Nada se perdeu, e um pagamento que você tenha iniciado continua.",
    },
    fault: {
      title: "Algo deu errado do nosso lado",
      text: "Se você estava pagando, abra esta página de novo antes de pagar outra vez: ela mostra como está o seu pagamento.",
    },
    refused: { title: "Esta página não pode ser aberta assim", text: "Abra de novo o link que você recebeu." },
    again: "Tente novamente {again}.",
    unready: {
      late: "Esta página não carregou por completo e os botões ainda não funcionam.",
      reload: "Carregar de novo",
      tooOld: "Este navegador é antigo demais para pagar. Atualize-o ou abra este link em outro.",
    },
  },
  fr: {
    missing: {
      title: "Nous ne trouvons pas cette page",
      text: "Vérifiez que l’adresse est complète. Si elle l’est, demandez un nouveau lien à la personne qui vous l’a envoyé.",
    },
    tooMany: { title: "Trop de demandes", text: "Trop de demandes sont venues de votre connexion." },
    paused: {
      title: "Le service de paiement est en pause",
      text: "Rien n’est perdu, et un paiement que vous avez commencé suit son cours.",
    },
    fault: {
      title: "Une erreur s’est produite de notre côté",
      text: "Si vous étiez en train de payer, rouvrez cette page avant de payer à nouveau : elle montre où en est votre paiement.",
    },
    refused: {
      title: "Cette page ne peut pas être ouverte ainsi",
      text: "Ouvrez de nouveau le lien qui vous a été envoyé.",
    },
    again: "Réessayez {again}.",
    unready: {
      late: "Cette page n’est pas entièrement chargée, et ses boutons ne fonctionnent pas encore.",
      reload: "La recharger",
      tooOld: "Ce navigateur est trop ancien pour payer. Mettez-le à jour ou ouvrez ce lien dans un autre.",
    },
  },
  de: {
    missing: {
      title: "Wir finden diese Seite nicht",
      text: "Prüfen Sie, ob die Adresse vollständig ist. Ist sie es, bitten Sie den Absender um einen neuen Link.",
    },
    tooMany: { title: "Zu viele Anfragen", text: "Über Ihre Verbindung kamen zu viele Anfragen." },
    paused: {
      title: "Der Zahlungsdienst macht eine Pause",
      text: "Nichts ist verloren, und eine Zahlung, die Sie begonnen haben, geht weiter.",
    },
    fault: {
      title: "Bei uns ist etwas schiefgegangen",
      text: "Falls Sie gerade bezahlt haben, öffnen Sie diese Seite noch einmal, bevor Sie erneut zahlen: Sie zeigt, wie es um Ihre Zahlung steht.",
    },
    refused: {
      title: "Diese Seite lässt sich so nicht öffnen",
      text: "Öffnen Sie den Link noch einmal, der Ihnen geschickt wurde.",
    },
    again: "Bitte versuchen Sie es {again} wieder.",
    unready: {
      late: "Diese Seite ist noch nicht vollständig geladen, daher funktionieren ihre Schaltflächen noch nicht.",
      reload: "Neu laden",
      tooOld:
        "Dieser Browser ist zu alt, um damit zu bezahlen. Bitte aktualisieren Sie ihn, oder öffnen Sie den Link in einem anderen.",
    },
  },
  zh: {
    missing: { title: "找不到此页面", text: "请检查网址是否完整。如果完整，请向发送者索取新的链接。" },
    tooMany: { title: "请求过多", text: "您的网络发出的请求过多。" },
    paused: { title: "付款服务暂停中", text: "没有丢失任何内容，您已发起的付款会继续进行。" },
    fault: { title: "我们这边出了问题", text: "如果您正在付款，请先重新打开此页面查看付款状态，再决定是否重新付款。" },
    refused: { title: "无法以这种方式打开此页面", text: "请重新打开发送给您的链接。" },
    again: "请{again}重试。",
    unready: {
      late: "此页面尚未完全加载，按钮还不能使用。",
      reload: "重新加载",
      tooOld: "此浏览器版本过旧，无法付款。请更新浏览器，或用其他浏览器打开此链接。",
    },
  },
  hi: {
    missing: {
      title: "यह पेज नहीं मिला",
      text: "देखें कि पता पूरा है या नहीं। यदि पूरा है, तो जिसने लिंक भेजा था उससे नया लिंक माँगें।",
    },
    tooMany: { title: "बहुत अधिक अनुरोध", text: "आपके कनेक्शन से बहुत अधिक अनुरोध आए।" },
    paused: { title: "भुगतान सेवा अभी रुकी हुई है", text: "कुछ भी खोया नहीं है, और आपका शुरू किया हुआ भुगतान जारी रहेगा।" },
    fault: {
      title: "हमारी ओर से कुछ गड़बड़ हुई",
      text: "यदि आप भुगतान कर रहे थे, तो दोबारा भुगतान करने से पहले यह पेज फिर खोलें: इसमें आपके भुगतान की स्थिति दिखेगी।",
    },
    refused: { title: "यह पेज इस तरह नहीं खुल सकता", text: "आपको भेजा गया लिंक फिर से खोलें।" },
    again: "कृपया {again} फिर कोशिश करें।",
    unready: {
      late: "यह पेज पूरी तरह लोड नहीं हुआ है, इसलिए इसके बटन अभी काम नहीं करते।",
      reload: "फिर से लोड करें",
      tooOld: "भुगतान के लिए यह ब्राउज़र बहुत पुराना है। कृपया इसे अपडेट करें या यह लिंक किसी दूसरे ब्राउज़र में खोलें।",
    },
  },
  ar: {
    missing: {
      title: "لم نجد هذه الصفحة",
      text: "تحقق من اكتمال العنوان. إن كان مكتملًا فاطلب رابطًا جديدًا ممن أرسله إليك.",
    },
    tooMany: { title: "طلبات كثيرة جدًا", text: "وردت طلبات كثيرة جدًا من اتصالك." },
    paused: { title: "خدمة الدفع متوقفة مؤقتًا", text: "لم يُفقد شيء، وأي دفعة بدأتها مستمرة." },
    fault: {
      title: "حدث خطأ من جانبنا",
      text: "إن كنت تدفع، فافتح هذه الصفحة مرة أخرى قبل أن تدفع من جديد: فهي تبيّن حالة دفعتك.",
    },
    refused: { title: "لا يمكن فتح هذه الصفحة بهذه الطريقة", text: "افتح الرابط الذي أُرسل إليك مرة أخرى." },
    again: "يُرجى المحاولة مرة أخرى {again}.",
    unready: {
      late: "لم يكتمل تحميل هذه الصفحة، ولذلك لا تعمل أزرارها بعد.",
      reload: "إعادة التحميل",
      tooOld: "هذا المتصفح قديم جدًا ولا يصلح للدفع. يرجى تحديثه أو فتح هذا الرابط في متصفح آخر.",
    },
  },
};
