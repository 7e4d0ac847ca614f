/// The words of Wordley: common English words of five letters.
enum WordList {
    static let answers = text.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let text = """
        about above actor acute admit adopt adult after again agent agree ahead alarm album alert alike alive allow
        alone along alter among angel anger angle apart apple apply arena argue arise armor aroma aside asset audio
        avoid awake award aware bacon badge baker basic basin beach beard beast began begin being below bench berry
        birth black blade blame blank blast blend bless blind block blood bloom board boost booth bound brain brake
        brand brave bread break breed brick bride brief bring broad brook brown brush build bunch burst cabin cable
        camel candy cargo carry carve catch cause cedar chain chair chalk charm chart chase cheap check cheek cheer
        chess chest chief child chill china choir civil claim class clean clear clerk click cliff climb clock close
        cloth cloud coach coast color coral couch count court cover crack craft crane cream creek crest crime crisp
        cross crowd crown crumb curve cycle daily dairy daisy dance dealt delay depth diary dozen draft drain drama
        dream dress drift drink drive eager eagle early earth eight elbow elder empty enjoy enter entry equal event
        exact exist extra fable faith false fancy feast fence ferry fever field fifth fight final flame flash fleet
        float flock flood floor flour flute focus force forge forty frame fresh front frost fruit ghost giant glass
        globe glove grace grade grain grand grape grass green greet group guard guess guest guide habit happy harsh
        heart hedge hello honey horse hotel house human humor ideal image index inner input ivory jelly jewel joint
        judge juice knife knock label large laser later laugh layer learn lemon level light limit linen liver local
        logic loose lucky lunch magic maple march match maybe medal melon mercy merry metal mixed model money month
        moral motor mount mouse mouth movie music naval nerve never night noble noise north novel nurse ocean offer
        often olive onion opera orbit order other otter outer owner paint panel paper party pasta patch peace peach
        pearl phone piano piece pilot pitch pizza place plain plane plant plate point polar porch power press price
        pride prize proud purse queen quick quiet quilt radio raise ranch range rapid reach ready reply rider ridge
        right river roast robin robot rocky rough round route royal salad sauce scale scarf scene scout shade shake
        shape share sharp sheep shelf shell shine shirt shore short sight skate skill sleep slice slope smart smile
        smoke snack solid sound south space spark spice spoon sport stage stair stamp stand start steam steel stick
        stone store storm story stove straw sugar sunny sweet swing table taste teach tempo thank theme thick thumb
        tiger toast today token topic torch total touch towel tower track trade trail train treat trend tribe trick
        truck trunk trust truth tulip uncle under unity upper urban usual valid value vapor video visit vivid voice
        wagon waist watch water whale wheat wheel where white whole width world wound woven wrist write yacht young
        youth zebra
        """
}
